import jsQR from 'jsqr';
import type { Page } from 'playwright-core';

/** Pixels per square: a reader needs several. */
const SCALE = 4;

/** The text of the QR code on the page, as a phone reads it: from its dark squares. */
export async function readQrCode(page: Page): Promise<string> {
  const code = page.getByRole('img', { name: /^QR code/ });
  const size = Number((await code.getAttribute('viewBox'))?.split(' ')[2]);
  const path = (await code.locator('path').getAttribute('d')) ?? '';
  const width = size * SCALE;
  const pixels = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    paint(pixels, width, Number(x), Number(y));
  const read = jsQR.default(pixels, width, width);
  if (read === null) throw new Error('the QR code is not readable');
  return read.data;
}

function paint(pixels: Uint8ClampedArray, width: number, x: number, y: number): void {
  for (let row = y * SCALE; row < (y + 1) * SCALE; row += 1) {
    for (let column = x * SCALE; column < (x + 1) * SCALE; column += 1) {
      const at = (row * width + column) * 4;
      pixels.fill(0, at, at + 3);
    }
  }
}
