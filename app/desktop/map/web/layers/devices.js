// Devices: a dot with its name, its accuracy on the ground, gliding from fix to fix.

import { nearestCopy } from "../geometry/geo.js";

const SHORTEST_GLIDE = 60;
const LONGEST_GLIDE = 400;
const NAMES_UP_TO = 20;

const mix = (from, to, share) => from + (to - from) * share;

function icon(name) {
  const root = document.createElement("div");
  root.className = "fw-device-body";
  const label = document.createElement("span");
  label.textContent = name;
  root.append(label);
  return L.divIcon({ className: "fw-device", html: root, iconSize: [18, 18] });
}

export class Devices {
  constructor(map) {
    this.map = map;
    this.devices = new Map();
  }

  move(moves) {
    for (const { device, longitude, latitude, accuracy_m: accuracy } of moves) {
      const target = { longitude, latitude, accuracy };
      const known = this.devices.get(device);
      if (known) this._glide(known, target);
      else this.devices.set(device, this._create(device, target));
    }
    this._animate();
  }

  remove(device) {
    const known = this.devices.get(device);
    if (!known) return;
    known.marker.remove();
    known.circle.remove();
    this.devices.delete(device);
    this._updateNames();
  }

  isBusy() {
    return Boolean(this._frame);
  }

  _create(name, target) {
    /** @type {[number, number]} */
    const position = [target.latitude, target.longitude];
    const circle = L.circle(position, {
      radius: target.accuracy,
      className: "fw-accuracy",
      pane: "devices",
      interactive: false,
    }).addTo(this.map);
    const marker = L.marker(position, { icon: icon(name), pane: "devices", interactive: false, keyboard: false });
    marker.addTo(this.map);
    const device = { marker, circle, now: target, from: target, target, begun: performance.now(), lasts: 0 };
    this.devices.set(name, device);
    this._updateNames();
    return device;
  }

  _glide(device, target) {
    const time = performance.now();
    const longitude = nearestCopy(target.longitude, device.now.longitude);
    const jump = this.map
      .latLngToContainerPoint([target.latitude, longitude])
      .distanceTo(this.map.latLngToContainerPoint([device.now.latitude, device.now.longitude]));
    const far = jump > Math.max(...Object.values(this.map.getSize()));
    device.lasts = far || document.hidden ? 0 : Math.min(LONGEST_GLIDE, Math.max(SHORTEST_GLIDE, time - device.begun));
    Object.assign(device, { from: device.now, target: { ...target, longitude }, begun: time });
  }

  _animate() {
    if (this._frame) return;
    const step = () => {
      const time = performance.now();
      const moving = [...this.devices.values()].filter((device) => this._advance(device, time));
      this._frame = moving.length ? L.Util.requestAnimFrame(step) : null;
    };
    step();
  }

  /** Move a device along; false once it has arrived. */
  _advance(device, time) {
    if (device.now === device.target) return false;
    const share = device.lasts > 0 ? Math.min(1, (time - device.begun) / device.lasts) : 1;
    const { from, target } = device;
    device.now = share === 1 ? target : {
      longitude: mix(from.longitude, target.longitude, share),
      latitude: mix(from.latitude, target.latitude, share),
      accuracy: mix(from.accuracy, target.accuracy, share),
    };
    const position = [device.now.latitude, device.now.longitude];
    device.marker.setLatLng(position);
    device.circle.setLatLng(position).setRadius(device.now.accuracy);
    return share < 1;
  }

  _updateNames() {
    this.map.getContainer().classList.toggle("fw-many-devices", this.devices.size > NAMES_UP_TO);
  }
}
