import { z } from 'zod'
import { equalInConstantTime, hmac } from '../../lib/crypto/crypto.ts'
import type { ConnectorContext } from '../kit/connector.ts'
import type { WebhookVerdict } from '../kit/declared.ts'
import type { MpesaCredentials } from './credentials.ts'

const proofBytes = 24

/** `result`: of a request. `inquiry`: the answer to our inquiry. `late`: the request expired in M-PESA's queue. */
const addressSchema = z.object({
  reference: z.uuid(),
  subject: z.enum(['attempt', 'refund']),
  kind: z.enum(['result', 'inquiry', 'late']),
  at: z.string().regex(/^\d{1,15}$/),
})
export type Address = z.infer<typeof addressSchema>

/** Daraja does not sign webhooks, so each request gets a separate address that cannot be guessed. */
export function addressOf(
  { credentials, clock, webhookUrl }: ConnectorContext<MpesaCredentials>,
  named: Omit<Address, 'at'>,
): string {
  const address = { ...named, at: String(clock.now().getTime()) }
  const url = new URL(webhookUrl)
  const query = { ...address, proof: proofOf(credentials, address).toString('base64url') }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

const proofOf = ({ consumerSecret }: MpesaCredentials, { reference, subject, kind, at }: Address): Buffer =>
  hmac(Buffer.from(consumerSecret), ['callback', subject, kind, reference, at].join(' ')).subarray(
    0,
    proofBytes,
  )

export function readAddress(url: string | undefined): Address | undefined {
  if (url === undefined || !URL.canParse(url)) return undefined
  return addressSchema.safeParse(Object.fromEntries(new URL(url).searchParams)).data
}

/** Only the answer to our inquiry, at its separate address and within a short time, counts as verified. */
export function verifyAddress(
  { credentials, clock }: ConnectorContext<MpesaCredentials>,
  url: string,
): WebhookVerdict<'answer'> {
  const address = readAddress(url)
  const proof = new URL(url).searchParams.get('proof') ?? ''
  const isOurs =
    address && equalInConstantTime(Buffer.from(proof, 'base64url'), proofOf(credentials, address))
  if (!isOurs) return { kind: 'forged', reason: 'not an address that we issued' }
  const ageMs = clock.now().getTime() - Number(address.at)
  const isAnswer = address.kind === 'inquiry' && ageMs >= 0 && ageMs <= credentials.answerWindowMs
  return isAnswer ? { kind: 'verified', isAnswer } : { kind: 'unsigned' }
}
