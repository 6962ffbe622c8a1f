// A mark where the shape that is being edited is invalid.

export class FaultMark {
  constructor(map) {
    this.map = map;
    this.marker = null;
  }

  /** Show the mark at a fault, or remove it if it is null. */
  show(fault) {
    if (!fault) {
      this.marker?.remove();
      this.marker = null;
      return;
    }
    const [longitude, latitude] = fault.at;
    if (!this.marker) {
      const icon = L.divIcon({ className: "fw-fault" });
      this.marker = L.marker([latitude, longitude], { icon, interactive: false, keyboard: false, pane: "handles" });
      this.marker.addTo(this.map);
    }
    this.marker.setLatLng([latitude, longitude]);
  }
}
