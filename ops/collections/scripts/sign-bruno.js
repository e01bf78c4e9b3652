// Signs a request that has the header X-PPAI-Client-Id. Bruno gives scripts a parsed body, so this script sets the body as a
// string and signs that string. White space at the ends would be removed before sending.
if (req.getHeader('X-PPAI-Client-Id')) {
  const { HmacSHA256, SHA256 } = require('crypto-js');
  const url = bru.interpolate(req.getUrl());
  const body = bru.interpolate(req.getBody({ raw: true }) || '').trim();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = require('nanoid').nanoid(32);
  const target = url.replace(/^https?:\/\/[^/]+/i, '');
  const parts = [req.getMethod().toUpperCase(), target, timestamp, nonce, String(SHA256(body))];
  req.setUrl(url);
  if (body !== '') req.setBody(body, { raw: true });
  req.setHeader('X-PPAI-Timestamp', timestamp);
  req.setHeader('X-PPAI-Nonce', nonce);
  req.setHeader(
    'X-PPAI-Signature',
    String(HmacSHA256(parts.join('\n'), bru.getEnvVar('signingSecret'))),
  );
}
