// The signature of api.md, "Machine API", 3, computed with WebCrypto.

const utf8 = new TextEncoder();

export async function canonicalString(subtle, { method, target, timestamp, nonce, body }) {
  const digest = hex(await subtle.digest('SHA-256', body));
  return [method, target, timestamp, nonce, digest].join('\n');
}

export async function signRequest(subtle, signingSecret, parts) {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await subtle.importKey('raw', utf8.encode(signingSecret), algorithm, false, ['sign']);
  return hex(await subtle.sign('HMAC', key, utf8.encode(await canonicalString(subtle, parts))));
}

function hex(buffer) {
  return Array.from(new Uint8Array(buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
