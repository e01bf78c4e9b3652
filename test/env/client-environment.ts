interface ClientSecrets {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
}

/** The variables with which the command line, or a client in another language, finds the registry and its credentials. */
export function clientEnvironment(
  url: string,
  { clientId, clientSecret, signingSecret }: ClientSecrets,
) {
  return {
    REGISTRY_URL: url,
    REGISTRY_CLIENT_ID: clientId,
    REGISTRY_CLIENT_SECRET: clientSecret,
    REGISTRY_SIGNING_SECRET: signingSecret,
  };
}
