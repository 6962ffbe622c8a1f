// Devices: a dot with a name and a circle for its accuracy on the ground, which glides from fix to fix.

import { nearestCopy } from "../geometry/geo.js";

const MIN_GLIDE_MS = 60;
const MAX_GLIDE_MS = 400;
const MAX_NAMED_DEVICES = 20;

const interpolate = (from, to, fraction) => from + (to - from) * fraction;

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
      const existing = this.devices.get(device);
      if (existing) this._glide(existing, target);
      else this.devices.set(device, this._create(device, target));
    }
    this._animate();
  }

  remove(device) {
    const existing = this.devices.get(device);
    if (!existing) return;
    existing.marker.remove();
    existing.circle.remove();
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
    const device = { marker, circle, now: target, from: target, target, startedAt: performance.now(), duration: 0 };
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
    const duration = Math.min(MAX_GLIDE_MS, Math.max(MIN_GLIDE_MS, time - device.startedAt));
    device.duration = far || document.hidden ? 0 : duration;
    Object.assign(device, { from: device.now, target: { ...target, longitude }, startedAt: time });
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

  /** Advance the animation of a device, and return false once it has arrived. */
  _advance(device, time) {
    if (device.now === device.target) return false;
    const fraction = device.duration > 0 ? Math.min(1, (time - device.startedAt) / device.duration) : 1;
    const { from, target } = device;
    device.now = fraction === 1 ? target : {
      longitude: interpolate(from.longitude, target.longitude, fraction),
      latitude: interpolate(from.latitude, target.latitude, fraction),
      accuracy: interpolate(from.accuracy, target.accuracy, fraction),
    };
    const position = [device.now.latitude, device.now.longitude];
    device.marker.setLatLng(position);
    device.circle.setLatLng(position).setRadius(device.now.accuracy);
    return fraction < 1;
  }

  _updateNames() {
    this.map.getContainer().classList.toggle("fw-many-devices", this.devices.size > MAX_NAMED_DEVICES);
  }
}
