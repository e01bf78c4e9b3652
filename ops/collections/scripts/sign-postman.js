// Signs a request that has the header X-PPAI-Client-Id. It replaces the variables in the body first, sets the body to the
// resulting string, and signs that string.
if (pm.request.headers.has('X-PPAI-Client-Id')) {
  const { HmacSHA256, SHA256 } = require('crypto-js');
  const url = pm.variables.replaceIn(pm.request.url.toString());
  const body = pm.variables.replaceIn(pm.request.body?.raw || '');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = pm.variables.replaceIn('{{$guid}}');
  const target = url.replace(/^https?:\/\/[^/]+/i, '');
  const parts = [pm.request.method, target, timestamp, nonce, String(SHA256(body))];
  if (body !== '') pm.request.body.update(body);
  pm.request.headers.upsert({ key: 'X-PPAI-Timestamp', value: timestamp });
  pm.request.headers.upsert({ key: 'X-PPAI-Nonce', value: nonce });
  pm.request.headers.upsert({
    key: 'X-PPAI-Signature',
    value: String(HmacSHA256(parts.join('\n'), pm.variables.get('signingSecret'))),
  });
}
