import { equalInConstantTime, hmac } from '../../lib/crypto.ts'
import { isUuid } from '../../lib/ids.ts'

const orgBytes = 16
const proofBytes = 24

/**
 * The address that a provider is given names the account by a token nobody can guess: the organisation and a
 * proof that we made it. Nothing has to be stored or looked up.
 */
export function webhookToken(key: Buffer, orgId: string, provider: string): string {
  const org = Buffer.from(orgId.replaceAll('-', ''), 'hex')
  return Buffer.concat([org, proofOf(key, orgId, provider)]).toString('base64url')
}

export function orgOfWebhookToken(key: Buffer, token: string, provider: string): string | undefined {
  const bytes = Buffer.from(token, 'base64url')
  if (bytes.length !== orgBytes + proofBytes) return undefined
  const hex = bytes.subarray(0, orgBytes).toString('hex')
  const orgId = [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join(
    '-',
  )
  const isOurs = isUuid(orgId) && equalInConstantTime(bytes.subarray(orgBytes), proofOf(key, orgId, provider))
  return isOurs ? orgId : undefined
}

const proofOf = (key: Buffer, orgId: string, provider: string): Buffer =>
  hmac(key, `${orgId} ${provider}`).subarray(0, proofBytes)
