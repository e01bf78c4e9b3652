// Loaded before all other modules: shifts the clock of the whole process by SKEW_SECONDS.
import { subscribe } from 'node:diagnostics_channel';

const RightDate = globalThis.Date;
const skewMs = Number(process.env.SKEW_SECONDS) * 1_000;

globalThis.Date = class extends RightDate {
  constructor(...given) {
    if (given.length === 0) super(RightDate.now() + skewMs);
    else super(...given);
  }

  static now() {
    return RightDate.now() + skewMs;
  }
};

// The Date header comes from a clock inside Node, so it is set here.
subscribe('http.server.request.start', ({ response }) => {
  response.setHeader('Date', new Date().toUTCString());
});
