import { signRequest } from './sign-request.js';

const TOKEN_PATH = '/oauth/token';
const RENEWAL_MARGIN_MS = 60_000;

/** Kept only in the memory of the page. */
let credentials;
let token;

const form = document.querySelector('#credentials');
const forget = document.querySelector('#forget');
const state = document.querySelector('#access-state');

if (!window.isSecureContext) {
  showState(
    'bad',
    'Requests cannot be signed here: open this page over https, or at http://127.0.0.1 or http://localhost.',
  );
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void takeCredentials();
});

forget.addEventListener('click', () => {
  forgetAll();
  form.reset();
  showState('', 'No token: requests are sent unsigned and are refused.');
});

for (const example of document.querySelectorAll('pre[id^="example-"]')) {
  example.textContent = example.textContent.replace(
    'https://registry.example.org',
    window.location.origin,
  );
}

window.SwaggerUIBundle({
  url: 'openapi.json',
  domNode: document.querySelector('#swagger-ui'),
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  tryItOutEnabled: true,
  validatorUrl: null,
  displayRequestDuration: true,
  presets: [window.SwaggerUIBundle.presets.apis],
  plugins: [withoutAuthorizeButtons, withoutHeadersOfEachAnswer],
  requestInterceptor: addSignature,
});

async function takeCredentials() {
  credentials = Object.fromEntries(
    [...new FormData(form)].map(([name, value]) => [name, value.trim()]),
  );
  try {
    await obtainToken();
    forget.hidden = false;
  } catch (error) {
    forgetAll();
    showState('bad', error.message);
  }
}

/** The form above replaces them, because users cannot type a signature. */
function withoutAuthorizeButtons() {
  const nothing = () => () => null;
  return { wrapComponents: { authorizeBtn: nothing, authorizeOperationBtn: nothing } };
}

/** Almost all answers have the same headers, which the page lists once above. */
function withoutHeadersOfEachAnswer() {
  return { wrapComponents: { headers: () => () => null } };
}

async function addSignature(request) {
  // Cookies and stored passwords are not used here, and after a 401 the browser would open its own password dialog.
  request.credentials = 'omit';
  const url = new URL(request.url, window.location.href);
  if (credentials === undefined || request.loadSpec || url.pathname.endsWith(TOKEN_PATH))
    return request;
  if (token === undefined || Date.now() > token.renewAtMs) await obtainToken();
  const timestamp = String(Math.floor(Date.now() / 1000));
  const nonce = crypto.randomUUID();
  const signature = await signRequest(crypto.subtle, credentials.signingSecret, {
    method: request.method.toUpperCase(),
    target: url.pathname + url.search,
    timestamp,
    nonce,
    body: new TextEncoder().encode(request.body ?? ''),
  });
  Object.assign(request.headers, {
    Authorization: `Bearer ${token.value}`,
    'X-PPAI-Client-Id': credentials.clientId,
    'X-PPAI-Timestamp': timestamp,
    'X-PPAI-Nonce': nonce,
    'X-PPAI-Signature': signature,
  });
  return request;
}

async function obtainToken() {
  const response = await fetch('oauth/token', {
    method: 'POST',
    credentials: 'omit',
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
    }),
  });
  const { data, error } = await response.json();
  if (error) throw new Error(`${error.code}: ${error.message}`);
  token = {
    value: data.access_token,
    renewAtMs: Date.now() + data.expires_in * 1000 - RENEWAL_MARGIN_MS,
  };
  showState(
    'good',
    `Token obtained for ${credentials.clientId}: ${data.scope}. It is renewed when needed.`,
  );
}

function forgetAll() {
  credentials = undefined;
  token = undefined;
  forget.hidden = true;
}

function showState(kind, text) {
  state.className = kind;
  state.textContent = text;
}
