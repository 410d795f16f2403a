import { equalInConstantTime, hmac } from '../../lib/crypto.ts'
import { toRate } from '../../lib/decimal.ts'
import { validationError } from '../../lib/errors.ts'
import { isUuid, uuidFromBytes, uuidToBytes } from '../../lib/ids.ts'
import type { ProviderConfig } from './record.ts'

const orgBytes = 16
const proofBytes = 24

/**
 * The webhook address given to a provider carries an unguessable token: the organisation's id and a MAC over it, so
 * that nothing has to be stored.
 */
export function webhookToken(key: Buffer, orgId: string, provider: string): string {
  const org = uuidToBytes(orgId)
  return Buffer.concat([org, proofOf(key, orgId, provider)]).toString('base64url')
}

export const webhookUrlOf = (
  deps: { publicUrl: string; webhookKey: Buffer },
  orgId: string,
  provider: string,
): string =>
  `${deps.publicUrl}/v1/providers/${provider}/webhooks/${webhookToken(deps.webhookKey, orgId, provider)}`

export function orgOfWebhookToken(key: Buffer, token: string, provider: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== orgBytes + proofBytes) return undefined
  const orgId = uuidFromBytes(bytes.subarray(0, orgBytes))
  const isOurs = isUuid(orgId) && equalInConstantTime(bytes.subarray(orgBytes), proofOf(key, orgId, provider))
  return isOurs ? orgId : undefined
}

const proofOf = (key: Buffer, orgId: string, provider: string): Buffer =>
  hmac(key, `${orgId} ${provider}`).subarray(0, proofBytes)

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

export function assertRange({ minAmount, maxAmount }: Pick<ProviderConfig, 'minAmount' | 'maxAmount'>): void {
  if (minAmount !== null && maxAmount !== null && toRate(minAmount).gt(maxAmount))
    throw validationError('min_amount: exceeds max_amount.', [
      { path: 'min_amount', message: 'exceeds max_amount' },
    ])
}
