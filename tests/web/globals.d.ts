// Global names of the page and its libraries, and parts of Leaflet that its types do not declare.

import "leaflet";

declare global {
  const protomapsL: any;
  const qt: any;
  const QWebChannel: new (transport: unknown, connected: (channel: { objects: any }) => void) => unknown;
}

declare module "leaflet" {
  const PM: any; // Geoman

  interface Layer {
    pm: any;
  }

  interface GridLayer {
    initialize(options?: object): void;
  }

  interface Renderer {
    initialize(options?: object): void;
    _update(): void;
  }
}
