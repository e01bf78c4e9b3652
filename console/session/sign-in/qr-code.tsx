import { encode } from 'uqr';

/** Dark squares on white in both themes, because scanners need that. The border is part of the code. */
export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 4, ecc: 'M' });
  const squares = data.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  );
  return (
    <svg
      className="qr-code"
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label="QR code for the authenticator app. The key below it has the same content."
      shapeRendering="crispEdges"
    >
      <rect width={size} height={size} className="qr-light" />
      <path d={squares.join('')} className="qr-dark" />
    </svg>
  );
}
