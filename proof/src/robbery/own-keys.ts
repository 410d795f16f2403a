import { sandboxCredentials } from '@switchyard/simulator/registry.ts'

/**
 * `own` and `second`: real accounts of the thief at the provider. `invented`: keys that no provider knows; whoever
 * stores them can still sign with them.
 */
export const keyKinds = ['own', 'second', 'invented'] as const
export type KeyKind = (typeof keyKinds)[number]

/** The thief's accounts in the simulator; the installation's is called `default`. */
const realKinds = ['own', 'second'] as const
const accountNamed = (kind: KeyKind): string => `thief ${kind}`
export const installationAccount = 'default'

export const signedProviders = ['paystack', 'stripe', 'flutterwave', 'pawapay'] as const
export type SignedProvider = (typeof signedProviders)[number]

export const secretOf = (kind: KeyKind): string => `sk_test_thief_${kind}`
export const webhookSecretOf = (kind: KeyKind): string => `whsec_thief_${kind}`

/** In the words of the simulator's configuration. */
const simulatorSecrets: Readonly<Record<SignedProvider, (kind: KeyKind) => Record<string, string>>> = {
  paystack: (kind) => ({ secret_key: secretOf(kind) }),
  stripe: (kind) => ({ secret_key: secretOf(kind), webhook_secret: webhookSecretOf(kind) }),
  flutterwave: (kind) => ({ secret_key: secretOf(kind), secret_hash: webhookSecretOf(kind) }),
  pawapay: (kind) => ({ api_token: secretOf(kind) }),
}

const keysOf: Readonly<Record<SignedProvider, (kind: KeyKind) => Record<string, unknown>>> = {
  paystack: (kind) => ({ secretKey: secretOf(kind) }),
  stripe: (kind) => ({ secretKey: secretOf(kind), webhookSecrets: [webhookSecretOf(kind)] }),
  flutterwave: (kind) => ({ secretKey: secretOf(kind), secretHash: webhookSecretOf(kind) }),
  pawapay: (kind) => ({ apiToken: secretOf(kind), callbacks: 'unsigned' }),
}

/** What the thief stores as its credentials; the address is the simulator's, as for everybody. */
export const credentialsOf = (
  simulatorUrl: string,
  provider: SignedProvider,
  kind: KeyKind,
): Record<string, unknown> => ({
  ...sandboxCredentials(simulatorUrl)[provider],
  ...keysOf[provider](kind),
})

const configure = (simulatorUrl: string, provider: SignedProvider, config: object): Promise<Response> =>
  fetch(`${simulatorUrl}/${provider}/_config`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(config),
  })

const options: Readonly<Partial<Record<SignedProvider, object>>> = {
  stripe: { raw_card_data: true, bank_transfers_arrive: true },
  pawapay: { signed_callbacks: false, signed_requests_only: false },
}

/** Opens the thief's accounts at the simulated providers. */
export async function openOwnAccounts(simulatorUrl: string): Promise<void> {
  for (const provider of signedProviders)
    for (const kind of realKinds) {
      const secrets = simulatorSecrets[provider](kind)
      const config = { account: accountNamed(kind), secrets, options: options[provider] ?? {} }
      const response = await configure(simulatorUrl, provider, config)
      if (!response.ok) throw new Error(`the simulator opened no account at ${provider}: ${response.status}`)
    }
}

/** Has the provider deliver the webhooks of the thief's accounts to the address. */
export async function pointOwnWebhooks(simulatorUrl: string, webhookUrl: string): Promise<void> {
  const provider = signedProviders.find((name) => webhookUrl.includes(`/providers/${name}/`))
  if (provider !== undefined) await setOwnWebhooks(simulatorUrl, provider, webhookUrl)
}

/** Null: the provider tells nobody what the thief's accounts do. */
export async function setOwnWebhooks(
  simulatorUrl: string,
  provider: SignedProvider,
  webhookUrl: string | null,
): Promise<void> {
  for (const kind of realKinds)
    await configure(simulatorUrl, provider, { account: accountNamed(kind), webhook_url: webhookUrl })
}
