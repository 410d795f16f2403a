import { verify, X509Certificate, type KeyObject } from 'node:crypto'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { WebhookVerdict } from './declared.ts'
import type { HttpClient } from './http-client.ts'
import { createKeyCache } from './key-cache.ts'
import { parseAnswer } from './parse-answer.ts'

const text = z.string().min(1)
const messageSchema = z.object({
  Type: z.enum(['Notification', 'SubscriptionConfirmation', 'UnsubscribeConfirmation']),
  MessageId: text,
  TopicArn: text,
  Message: z.string(),
  Subject: z.string().optional(),
  Timestamp: z.iso.datetime(),
  Token: text.optional(),
  SubscribeURL: text.optional(),
  SignatureVersion: z.enum(['1', '2']),
  Signature: text,
  SigningCertURL: text,
})
type SnsMessage = z.infer<typeof messageSchema>

export type CertificateSource = (url: URL) => Promise<{ pem: string } | 'absent' | 'unreachable'>

/** What an operator can configure. */
export const snsSchema = (owners: string[]) =>
  z
    .strictObject({
      /** The AWS accounts whose topics are trusted. */
      topicOwners: z.array(z.string().regex(/^\d{12}$/)).default(owners),
      /** Replaces Amazon's hosts by a mirror or by the simulator. */
      mirror: z.url({ protocol: /^https?$/ }).optional(),
      maxAgeMs: z.int().min(60_000).default(3_600_000),
    })
    .prefault({})

export interface SnsContext extends z.infer<ReturnType<typeof snsSchema>> {
  http: HttpClient
  clock: Clock
  /** Absent: certificates are fetched over HTTP from Amazon or its mirror. */
  certificates?: CertificateSource
}

export const readMessage = (rawBody: Buffer): SnsMessage | undefined =>
  parseAnswer(rawBody.toString('utf8'), messageSchema)

const findKeyByHttp = createKeyCache()
const forged = (reason: string): WebhookVerdict<'provider'> => ({ kind: 'forged', reason })

/** Amazon signs for every AWS customer, so the certificate must be Amazon's and the topic must be trusted. */
export async function verifySns(context: SnsContext, rawBody: Buffer): Promise<WebhookVerdict<'provider'>> {
  const message = readMessage(rawBody)
  if (!message) return forged('no message of Amazon SNS')
  const owner = /^arn:aws:sns:[a-z0-9-]+:(\d{12}):/.exec(message.TopicArn)?.[1]
  if (owner === undefined || !context.topicOwners.includes(owner)) return forged('a topic of somebody else')
  const ageMs = context.clock.now().getTime() - Date.parse(message.Timestamp)
  if (Math.abs(ageMs) > context.maxAgeMs) return forged('not sent now')
  const url = amazonUrl(message.SigningCertURL)
  if (!url || !certificatePath.test(url.pathname) || url.search !== '')
    return forged('a certificate of somebody else')
  const key = await keyAt(context, url)
  // Without the certificate a genuine webhook cannot be verified, so it only triggers an inquiry.
  if (key === 'unreachable') return { kind: 'unsigned' }
  if (key === 'unknown') return forged('no such certificate')
  if (!isSigned(message, key)) return forged('wrong signature')
  if (message.Type === 'SubscriptionConfirmation') await confirm(context, message)
  return { kind: 'provider' }
}

const host = /^sns\.[a-z]{2}(-[a-z]+)+-\d\.amazonaws\.com$/
const certificatePath = /^\/SimpleNotificationService-[0-9a-f]{32}\.pem$/

function amazonUrl(address: string): URL | undefined {
  const url = URL.parse(address)
  const isPlain = url?.protocol === 'https:' && [url.port, url.username, url.password].join('') === ''
  return url && isPlain && host.test(url.hostname) ? url : undefined
}

const keyAt = (context: SnsContext, url: URL): Promise<KeyObject | 'unknown' | 'unreachable'> => {
  const { clock, certificates = certificatesBy(context) } = context
  const findKey = context.certificates ? createKeyCache() : findKeyByHttp
  const fetch = async () => {
    const found = await certificates(url)
    if (found === 'unreachable') return undefined
    return found !== 'absent' && isInForce(found.pem, clock.now()) ? [{ id: url.href, key: found.pem }] : []
  }
  return findKey({ name: reachedAt(context, url), nowMs: clock.now().getTime(), fetch }, url.href)
}

const certificatesBy =
  (context: SnsContext): CertificateSource =>
  async (url) => {
    const result = await context.http({ method: 'GET', url: reachedAt(context, url) })
    if (result.kind !== 'answered' || result.status >= 500) return 'unreachable'
    return result.status === 200 ? { pem: result.body } : 'absent'
  }

const reachedAt = ({ mirror }: SnsContext, url: URL): string =>
  mirror === undefined ? url.href : `${mirror}${url.pathname}${url.search}`

function isInForce(pem: string, now: Date): boolean {
  try {
    const { validFrom, validTo } = new X509Certificate(pem)
    return new Date(validFrom) <= now && now <= new Date(validTo)
  } catch {
    return false
  }
}

const notification = ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'] as const
const confirmation = [
  'Message',
  'MessageId',
  'SubscribeURL',
  'Timestamp',
  'Token',
  'TopicArn',
  'Type',
] as const

function isSigned(message: SnsMessage, key: KeyObject): boolean {
  const names = message.Type === 'Notification' ? notification : confirmation
  const signed = names.flatMap((name) => (message[name] === undefined ? [] : [name, message[name]]))
  const digest = message.SignatureVersion === '1' ? 'RSA-SHA1' : 'RSA-SHA256'
  const bytes = Buffer.from(signed.map((line) => `${line}\n`).join(''))
  return verify(digest, bytes, key, Buffer.from(message.Signature, 'base64'))
}

/** Calls only Amazon, and only for this topic. Otherwise anybody could make us call any address. */
async function confirm(context: SnsContext, { SubscribeURL = '', TopicArn }: SnsMessage): Promise<void> {
  const url = amazonUrl(SubscribeURL)
  const isConfirmation =
    url?.pathname === '/' &&
    url.searchParams.get('Action') === 'ConfirmSubscription' &&
    url.searchParams.get('TopicArn') === TopicArn
  const result = isConfirmation && (await context.http({ method: 'GET', url: reachedAt(context, url) }))
  // The error makes Amazon send the confirmation again.
  if (!result || result.kind !== 'answered' || result.status !== 200)
    throw new Error('the webhook subscription could not be confirmed')
}
