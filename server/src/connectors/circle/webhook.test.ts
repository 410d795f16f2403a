import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  SANDBOX_CERTIFICATE,
  SANDBOX_SIGNING_KEY,
} from '@switchyard/simulator/protocols/circle/sandbox-key.ts'
import { startSimulator, type Simulator } from '@switchyard/simulator/simulator.ts'
import type { HttpCall } from '../kit/http-client.ts'
import { createAgent, createHttpClient } from '../kit/http-client.ts'
import { startReceiver, type Receiver } from '../testing/receiver.ts'
import { verifySns, type CertificateSource, type SnsContext } from '../kit/sns.ts'

const now = new Date('2026-11-15T06:00:00Z')
const owner = '908968368384'
const topic = `arn:aws:sns:us-east-1:${owner}:sandbox_platform-notifications-topic`
const certificateUrl =
  'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem'

type Fields = Record<string, string>

/** Signs as Amazon does. */
function signed(change: Fields = {}, { key = SANDBOX_SIGNING_KEY, digest = 'RSA-SHA256' } = {}): Fields {
  const { SigningCertURL = certificateUrl, SignatureVersion = '2', ...rest } = change
  const fields: Fields = {
    Type: 'Notification',
    MessageId: '49e77e2a-3dcd-5d40-a42b-23af199310a0',
    TopicArn: topic,
    Message: '{}',
    Timestamp: now.toISOString(),
    ...rest,
  }
  const text = Object.keys(fields)
    .toSorted()
    .map((name) => `${name}\n${fields[name]}\n`)
    .join('')
  const Signature = sign(digest, Buffer.from(text), key).toString('base64')
  return { ...fields, SignatureVersion, Signature, SigningCertURL }
}

const otherKey: KeyObject = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** No call is expected unless a test defines its answer. */
function context(change: Partial<SnsContext> = {}): SnsContext & { calls: HttpCall[]; asked: string[] } {
  const calls: HttpCall[] = []
  const asked: string[] = []
  const certificates: CertificateSource = async (url) => {
    asked.push(url.href)
    return { pem: SANDBOX_CERTIFICATE }
  }
  return {
    calls,
    asked,
    certificates,
    topicOwners: [owner],
    maxAgeMs: 3_600_000,
    clock: { now: () => now },
    http: async (call) => {
      calls.push(call)
      return { kind: 'answered', status: 200, headers: {}, body: '' }
    },
    ...change,
  }
}

const verdictOn = async (fields: Fields, fixture = context()) =>
  (await verifySns(fixture, Buffer.from(JSON.stringify(fields)))).kind

describe('a message of Amazon SNS', () => {
  it('of a trusted topic is verified, in both signature versions, with and without a subject', async () => {
    expect(await verdictOn(signed())).toBe('provider')
    expect(await verdictOn(signed({ Subject: 'news' }))).toBe('provider')
    expect(await verdictOn(signed({ SignatureVersion: '1' }, { digest: 'RSA-SHA1' }))).toBe('provider')
  })

  it('is forged if a field was changed or added, or if it has another signature', async () => {
    const changes: Fields[] = [{ Message: '{"a":1}' }, { MessageId: 'x' }, { Subject: 'news' }]
    for (const change of changes) expect(await verdictOn({ ...signed(), ...change })).toBe('forged')
    expect(await verdictOn(signed({}, { key: otherKey }))).toBe('forged')
    expect(await verdictOn({ ...signed(), SignatureVersion: '1' })).toBe('forged')
  })

  it('of an unknown topic is forged although Amazon signed it, and no certificate is fetched', async () => {
    const fixture = context()
    expect(await verdictOn(signed({ TopicArn: 'arn:aws:sns:us-east-1:111122223333:mine' }), fixture)).toBe(
      'forged',
    )
    expect(await verdictOn(signed({ TopicArn: `arn:aws:sqs:us-east-1:${owner}:mine` }), fixture)).toBe(
      'forged',
    )
    expect(fixture.asked).toEqual([])
  })

  it('is forged if it is too old or dated in the future', async () => {
    const at = (ms: number) => signed({ Timestamp: new Date(now.getTime() + ms).toISOString() })
    expect(await verdictOn(at(-3_599_000))).toBe('provider')
    expect(await verdictOn(at(-3_601_000))).toBe('forged')
    expect(await verdictOn(at(3_601_000))).toBe('forged')
  })

  it.each([
    'http://sns.us-east-1.amazonaws.com/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://sns.us-east-1.amazonaws.com.evil.test/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://evil.test/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://sns.us-east-1.amazonaws.com@evil.test/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://me@sns.us-east-1.amazonaws.com/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://sns.us-east-1.amazonaws.com:8443/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://bucket.s3.us-east-1.amazonaws.com/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem',
    'https://sns.us-east-1.amazonaws.com/mine.pem',
    'https://sns.us-east-1.amazonaws.com/SimpleNotificationService-01d088a6f77103d0fe307c0069e40ed6.pem?to=evil',
    'no address',
  ])('with a certificate address outside Amazon SNS is forged, and nothing is fetched: %s', async (url) => {
    const fixture = context()
    expect(await verdictOn(signed({ SigningCertURL: url }), fixture)).toBe('forged')
    expect(fixture.asked).toEqual([])
  })

  it('is forged without a certificate, or with an invalid or expired one', async () => {
    expect(await verdictOn(signed(), context({ certificates: async () => 'absent' }))).toBe('forged')
    expect(await verdictOn(signed(), context({ certificates: async () => ({ pem: 'none' }) }))).toBe('forged')
    const later = new Date('2200-01-01T00:00:00Z')
    const fixture = context({ clock: { now: () => later } })
    expect(await verdictOn(signed({ Timestamp: later.toISOString() }), fixture)).toBe('forged')
  })

  it('is unsigned while the certificate cannot be fetched', async () => {
    expect(await verdictOn(signed(), context({ certificates: async () => 'unreachable' }))).toBe('unsigned')
  })
})

describe('the confirmation of a subscription', () => {
  const subscribeUrl = (arn: string) =>
    `https://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${arn}&Token=1`
  const confirmation = (change: Fields = {}) =>
    signed({
      Type: 'SubscriptionConfirmation',
      Token: '1',
      SubscribeURL: subscribeUrl(topic),
      ...change,
    })

  it('of a trusted topic is confirmed at Amazon', async () => {
    const fixture = context()
    expect(await verdictOn(confirmation(), fixture)).toBe('provider')
    expect(fixture.calls).toEqual([{ method: 'GET', url: subscribeUrl(topic) }])
  })

  it('that is forged or of another topic makes no call', async () => {
    const fixture = context()
    expect(await verdictOn({ ...confirmation(), Token: '2' }, fixture)).toBe('forged')
    expect(
      await verdictOn(confirmation({ TopicArn: 'arn:aws:sns:us-east-1:111122223333:mine' }), fixture),
    ).toBe('forged')
    expect(fixture.calls).toEqual([])
  })

  it.each([
    'https://evil.test/?Action=ConfirmSubscription',
    `http://sns.us-east-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=${topic}`,
    `https://sns.us-east-1.amazonaws.com/?Action=DeleteTopic&TopicArn=${topic}`,
    subscribeUrl('arn:aws:sns:us-east-1:111122223333:mine'),
  ])(
    'that leads elsewhere calls nobody and is an error, so that somebody looks: %s',
    async (SubscribeURL) => {
      const fixture = context()
      await expect(verdictOn(confirmation({ SubscribeURL }), fixture)).rejects.toThrow(
        'could not be confirmed',
      )
      expect(fixture.calls).toEqual([])
    },
  )

  it('that Amazon does not accept is an error, so that it is sent again', async () => {
    const fixture = context({ http: async () => ({ kind: 'unknown', reason: 'timeout' }) })
    await expect(verdictOn(confirmation(), fixture)).rejects.toThrow('could not be confirmed')
  })
})

describe('with the simulator', () => {
  let simulator: Simulator
  let receiver: Receiver
  const agent = createAgent()
  beforeAll(async () => {
    simulator = await startSimulator()
    receiver = await startReceiver()
  })
  afterAll(async () => {
    await agent.destroy()
    await receiver.stop()
    await simulator.stop()
  })

  it('a subscription is pending until it is confirmed', async () => {
    const url = `${simulator.providerUrl('circle')}/v1/notifications/subscriptions`
    const headers = {
      authorization: 'Bearer SAND_API_KEY:circle:switchyard',
      'content-type': 'application/json',
    }
    const statuses = async () => JSON.stringify(await (await fetch(url, { headers })).json())
    await fetch(url, { method: 'POST', headers, body: JSON.stringify({ endpoint: receiver.url }) })
    expect(await statuses()).toContain('"status":"pending"')
    const [request] = receiver.received()
    const { certificates: _injected, ...fixture } = context({
      http: createHttpClient(agent),
      clock: { now: () => new Date() },
      mirror: `${simulator.providerUrl('circle')}/sns`,
    })
    expect(await verifySns(fixture, request?.rawBody ?? Buffer.from(''))).toEqual({ kind: 'provider' })
    expect(await statuses()).toContain('"status":"confirmed"')
  })
})
