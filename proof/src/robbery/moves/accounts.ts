import { between, type Chance } from '../../shared/chance.ts'
import type { Gang } from '../gang.ts'
import { forgeDeposit, forgeWebhook } from '../forge-webhook.ts'
import { credentialsOf, keyKinds, signedProviders, type SignedProvider } from '../own-keys.ts'
import { listSubjects } from '../subjects.ts'
import { amountOf, oneOf, somebody, type Move, type WeightedMove } from './move.ts'

const hourMs = 3_600_000

const keysFor = (gang: Gang, chance: Chance, provider: SignedProvider): Record<string, unknown> =>
  credentialsOf(gang.installation.simulatorUrl, provider, oneOf(chance, keyKinds))

const storeCredentials: Move = (gang, chance) => {
  const provider = oneOf(chance, signedProviders)
  return gang.ask({
    by: somebody(gang, chance),
    method: 'PUT',
    path: `/v1/payments/provider-credentials/${provider}`,
    body: { credentials: keysFor(gang, chance, provider) },
  })
}

const addAccount: Move = (gang, chance) => {
  const provider = oneOf(chance, signedProviders)
  return gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: '/v1/payments/provider-accounts',
    body: {
      provider,
      label: `account ${between(chance, 1, 9)}`,
      credentials: keysFor(gang, chance, provider),
    },
  })
}

const changeAccount: Move = (gang, chance) => {
  const path = `/v1/payments/provider-accounts/${gang.notebook.any('provider_account_id', chance)}`
  const provider = oneOf(chance, signedProviders)
  return oneOf(chance, [
    () => gang.ask({ method: 'PATCH', path, body: { status: oneOf(chance, ['retired', 'active']) } }),
    () =>
      gang.ask({
        method: 'PUT',
        path: `${path}/credentials`,
        body: { credentials: keysFor(gang, chance, provider) },
      }),
    () => gang.ask({ method: 'GET', path }),
  ])()
}

const readAccounts: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'GET',
    path: oneOf(chance, [
      '/v1/payments/provider-accounts',
      '/v1/payments/provider-credentials',
      '/v1/payments/provider-configs?limit=100',
    ]),
  })

const corridors = [
  ['NG', 'outbound', 'bank_transfer'],
  ['NG', 'inbound', 'bank_transfer'],
  ['KE', 'outbound', 'mobile_money'],
  ['KE', 'inbound', 'mobile_money'],
  ['UG', 'outbound', 'mobile_money'],
  ['UG', 'inbound', 'mobile_money'],
  ['UG', 'inbound', 'bank_transfer'],
  ['GB', 'inbound', 'card'],
  ['GB', 'outbound', 'bank_transfer'],
  ['UG', 'external', 'crypto'],
  ['KE', 'external', 'crypto'],
] as const

const createConfig: Move = (gang, chance) => {
  const [country, direction, payment_method] = oneOf(chance, corridors)
  const accountIds = gang.notebook.all('provider_account_id')
  const body = {
    provider: direction === 'external' ? 'hybrid' : oneOf(chance, [...signedProviders, 'manual']),
    country,
    direction,
    payment_method,
    priority: between(chance, 0, 30),
    ...(chance() < 0.3 && { max_amount: 1e9, min_amount: 0 }),
    ...(chance() < 0.3 && accountIds.length > 0 && { account_id: oneOf(chance, accountIds) }),
  }
  return gang.ask({ by: somebody(gang, chance), method: 'POST', path: '/v1/payments/provider-configs', body })
}

const changeConfig: Move = (gang, chance) => {
  const provider = oneOf(chance, [...signedProviders, 'manual', 'hybrid'])
  const path = `/v1/payments/provider-configs/${provider}/${gang.notebook.any(`config_id ${provider}`, chance)}`
  if (chance() < 0.4) return gang.ask({ by: somebody(gang, chance), method: 'DELETE', path })
  const body = { is_active: chance() < 0.5, priority: between(chance, 0, 30), max_amount: 1e9 }
  return gang.ask({ by: somebody(gang, chance), method: 'PATCH', path, body })
}

/** Signs a message about a payment with its own keys and posts it to an address that it has learned. */
const forge: Move = async (gang, chance) => {
  const urls = gang.notebook.all('webhook_url')
  const subjects = await listSubjects(gang.installation.owner, [
    gang.org.orgId,
    gang.installation.people.honest.orgId,
  ])
  if (urls.length === 0 || subjects.length === 0) return storeCredentials(gang, chance)
  const subject = oneOf(chance, subjects)
  const fitting = urls.filter((url) => url.includes(`/providers/${subject.provider}/`))
  const url = oneOf(chance, fitting.length > 0 ? fitting : urls)
  const provider = signedProviders.find((name) => url.includes(`/providers/${name}/`))
  if (provider === undefined) return undefined
  const outcome = chance() < 0.75 ? 'completed' : 'failed'
  return gang.post(url, forgeWebhook({ ...subject, provider, outcome }, oneOf(chance, keyKinds)))
}

const forgeAnyDeposit: Move = (gang, chance) => {
  const urls = gang.notebook.all('webhook_url').filter((url) => url.includes('/providers/paystack/'))
  const numbers = gang.notebook.all('account_number').filter((number) => /^\d{10}$/.test(number))
  if (urls.length === 0 || numbers.length === 0) return storeCredentials(gang, chance)
  const accountNumber = oneOf(chance, numbers)
  const deposit = { accountNumber, amountMinor: BigInt(amountOf(chance)) * 100n, currency: 'NGN' }
  return gang.post(oneOf(chance, urls), forgeDeposit(deposit, oneOf(chance, keyKinds)))
}

/** The provider's list may hold what no webhook reported; the thief's own account says what the thief wants. */
const reconcile: Move = (gang, chance) =>
  gang.ask({
    by: somebody(gang, chance),
    method: 'POST',
    path: '/v1/payments/reconciliation',
    body: {
      provider: oneOf(chance, signedProviders),
      since: new Date(Date.now() - hourMs).toISOString(),
      ...(chance() < 0.5 && { account_id: gang.notebook.any('provider_account_id', chance) }),
    },
  })

export const accountMoves: readonly WeightedMove[] = [
  [storeCredentials, 5],
  [addAccount, 3],
  [changeAccount, 4],
  [readAccounts, 3],
  [createConfig, 5],
  [changeConfig, 4],
  [forge, 16],
  [forgeAnyDeposit, 5],
  [reconcile, 1],
]
