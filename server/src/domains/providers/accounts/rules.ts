import { installationOrgId } from '../../../kernel/db/vault.ts'
import type { Custody } from '../../../kernel/ledger/available.ts'
import { equalInConstantTime, hmac } from '../../../lib/crypto/crypto.ts'
import { isUuid, uuidFromBytes, uuidToBytes } from '../../../lib/ids.ts'
import type { KeyRing } from '../../../lib/crypto/key-ring.ts'
import type { ProviderAccount } from './record.ts'

export const custodyOf = (account: Pick<ProviderAccount, 'orgId'>): Custody =>
  account.orgId === installationOrgId ? 'pooled' : 'own'

/** Binds the sealed keys to their row: they cannot be opened for another account. */
export const sealContextOf = (accountId: string): string => `provider account ${accountId}`

/** Longer than any process sends under keys that were replaced; see the cache in load-connector.ts. */
const replacedKeysMs = 15_000

/**
 * "Not found" is final only at the account that was sent to. Keys that were replaced since may belong to another one,
 * so what they do not find may still exist.
 */
export function notFoundWindow(
  connector: { notFoundFinalAfterMs?: number | undefined; keysChangedAt?: Date | null } | undefined,
  sentAt: Date,
): number | undefined {
  const replacedAtMs = connector?.keysChangedAt?.getTime()
  const mayDiffer = replacedAtMs !== undefined && sentAt.getTime() < replacedAtMs + replacedKeysMs
  return mayDiffer ? undefined : connector?.notFoundFinalAfterMs
}

interface UsedAccount {
  account: ProviderAccount
}
interface UnusableAccount {
  reason: string
}

/**
 * The account that a configuration uses: the one that it names, else its owner's only active one. An organisation
 * without an account of its own at the provider uses the installation's.
 */
export function resolveAccount(
  accounts: readonly ProviderAccount[],
  config: { orgId: string; provider: string; accountId: string | null },
): UsedAccount | UnusableAccount {
  const used = configuredAccount(accounts, config)
  // No other account takes its place: that one may be another custody's.
  return 'account' in used && used.account.isSuspended ? { reason: 'its account is suspended' } : used
}

function configuredAccount(
  accounts: readonly ProviderAccount[],
  config: { orgId: string; provider: string; accountId: string | null },
): UsedAccount | UnusableAccount {
  const atProvider = accounts.filter(({ provider }) => provider === config.provider)
  if (config.accountId !== null) {
    const named = atProvider.find(({ accountId }) => accountId === config.accountId)
    if (!named) return { reason: 'it names an account that does not exist' }
    return named.status === 'active' ? { account: named } : { reason: 'its account is retired' }
  }
  const active = atProvider.filter(({ status }) => status === 'active')
  for (const ownerId of new Set([config.orgId, installationOrgId])) {
    const [only, ...others] = active.filter(({ orgId }) => orgId === ownerId)
    if (others.length > 0) return { reason: 'it must name one of several accounts' }
    if (only) return { account: only }
  }
  return { reason: 'it has no credentials' }
}

const idBytes = 16
const proofBytes = 24

/**
 * The webhook address given to a provider carries an unguessable token: the account's id and a MAC over it, so that
 * nothing has to be stored.
 */
export const webhookToken = (key: KeyRing, accountId: string, provider: string): string =>
  Buffer.concat([uuidToBytes(accountId), proofOf(key, `account ${accountId} ${provider}`)]).toString(
    'base64url',
  )

export const webhookUrlOf = (
  deps: { publicUrl: string; webhookKey: KeyRing },
  { accountId, provider }: Pick<ProviderAccount, 'accountId' | 'provider'>,
): string =>
  `${deps.publicUrl}/v1/providers/${provider}/webhooks/${webhookToken(deps.webhookKey, accountId, provider)}`

/** The account whose token it is; undefined if the token is not one of ours. */
export function readWebhookToken(key: KeyRing, token: string, provider: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== idBytes + proofBytes) return undefined
  const id = uuidFromBytes(bytes.subarray(0, idBytes))
  if (!isUuid(id)) return undefined
  return equalInConstantTime(bytes.subarray(idBytes), proofOf(key, `account ${id} ${provider}`))
    ? id
    : undefined
}

const proofOf = ({ current }: KeyRing, text: string): Buffer => hmac(current, text).subarray(0, proofBytes)

/** The path of the first URL in the credentials, at any depth. */
export function pathOfUrl(value: unknown, path: readonly string[] = []): string | undefined {
  if (typeof value === 'string') return /^\s*https?:/i.test(value) ? path.join('.') : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const [name, part] of Object.entries(value)) {
    const found = pathOfUrl(part, [...path, name])
    if (found !== undefined) return found
  }
  return undefined
}
