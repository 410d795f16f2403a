import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startSimulator, type Simulator } from '../../simulator.ts'
import { http } from '../../testing/http.ts'
import { createPawapayClient, type PawapayClient } from '../../testing/pawapay-client.ts'
import { startReceiver, type ReceivedWebhook, type Receiver } from '../../testing/receiver.ts'

let simulator: Simulator
let receiver: Receiver
let client: PawapayClient

beforeAll(async () => {
  receiver = await startReceiver()
  simulator = await startSimulator({ delayMs: 10 })
  simulator.configure('pawapay', { webhook_url: receiver.url })
  client = createPawapayClient(simulator)
})
afterAll(async () => {
  await simulator.stop()
  await receiver.stop()
})

async function depositAndWait(id: string): Promise<ReceivedWebhook> {
  await client.deposit({ id })
  await expect.poll(() => received(id).length).toBeGreaterThan(0)
  return received(id)[0]!
}

function received(reference: string): ReceivedWebhook[] {
  return receiver.received().filter((webhook) => webhook.body.includes(reference))
}

/** An independent implementation of RFC 9421, without the code under test. */
async function isGenuine(webhook: ReceivedWebhook, body = webhook.body): Promise<boolean> {
  const header = (name: string) => String(webhook.headers[name])
  const [, parameters = ''] = /^sig-pp=(.*)$/.exec(header('signature-input')) ?? []
  const keyId = /keyid="([^"]+)"/.exec(parameters)?.[1]
  const keys = (await http(`${simulator.url}/pawapay/v2/public-key/http`)).json() as {
    id: string
    key: string
  }[]
  const key = createPublicKey(keys.find(({ id }) => id === keyId)!.key)
  const base = [
    '"@method": POST',
    `"@authority": ${header('host')}`,
    `"@path": ${webhook.path}`,
    `"signature-date": ${header('signature-date')}`,
    `"content-digest": ${header('content-digest')}`,
    `"content-type": ${header('content-type')}`,
    `"@signature-params": ${parameters}`,
  ].join('\n')
  const digest = `sha-512=:${createHash('sha512').update(body).digest('base64')}:`
  const value = /^sig-pp=:(.*):$/.exec(header('signature'))?.[1] ?? ''
  const isSigned = verify(
    'sha256',
    Buffer.from(base),
    { key, dsaEncoding: 'der' },
    Buffer.from(value, 'base64'),
  )
  return isSigned && digest === header('content-digest')
}

describe('signed callbacks', () => {
  test('verify against the published key', async () => {
    expect(await isGenuine(await depositAndWait(randomUUID()))).toBe(true)
  })

  test('do not verify with another body', async () => {
    const webhook = await depositAndWait(randomUUID())
    expect(await isGenuine(webhook, webhook.body.replace('COMPLETED', 'FAILED'))).toBe(false)
  })

  test('do not verify if they are forged', async () => {
    const id = randomUUID()
    await depositAndWait(id)
    const body = { reference: id, event: 'FAILED', forge: true, duplicate: true }
    const answer = await http(`${simulator.url}/pawapay/_webhooks/send`, { method: 'POST', body })
    expect(answer.json()).toEqual({ sent: 2 })
    const forged = received(id).slice(1)
    expect(forged).toHaveLength(2)
    expect(forged[0]!.body).toContain('"status":"FAILED"')
    expect(await isGenuine(forged[0]!)).toBe(false)
  })

  test('can be sent again, by the API and by hand', async () => {
    const id = randomUUID()
    await depositAndWait(id)
    const resent = await client.call(`/v2/deposits/resend-callback/${id}`, { method: 'POST' })
    expect(resent.json()).toEqual({ depositId: id, status: 'ACCEPTED' })
    await expect.poll(() => received(id)).toHaveLength(2)
    await http(`${simulator.url}/pawapay/_webhooks/send`, { method: 'POST', body: { reference: id } })
    expect(received(id)).toHaveLength(3)
    expect(new Set(received(id).map((webhook) => webhook.body)).size).toBe(1)
    const list = (await http(`${simulator.url}/pawapay/_webhooks`)).json() as {
      webhooks: { reference: string }[]
    }
    expect(list.webhooks.filter((webhook) => webhook.reference === id)).toMatchObject(
      Array.from({ length: 3 }, () => ({ outcome: 'delivered', attempts: [{ status: 200 }] })),
    )
  })

  test('can be switched off', async () => {
    simulator.configure('pawapay', { options: { signed_callbacks: false } })
    const webhook = await depositAndWait(randomUUID())
    simulator.configure('pawapay', { options: { signed_callbacks: true } })
    expect(webhook.headers['signature']).toBeUndefined()
  })
})

describe('signed requests', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const token = 'signing-token'

  beforeAll(() => {
    simulator.configure('pawapay', {
      account: 'signing',
      secrets: {
        api_token: token,
        request_public_key: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      },
      options: { signed_requests_only: true },
    })
  })

  function deposit() {
    return JSON.stringify({
      depositId: randomUUID(),
      amount: '15',
      currency: 'GHS',
      payer: { type: 'MMO', accountDetails: { phoneNumber: '233593456789', provider: 'MTN_MOMO_GHA' } },
    })
  }

  function signedHeaders(
    body: string,
    dsaEncoding: 'der' | 'ieee-p1363',
    expires = Math.ceil(Date.now() / 1_000) + 60,
  ) {
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`
    const parameters = `("@method" "@authority" "@path" "content-digest");alg="ecdsa-p256-sha256";keyid="K";created=1;expires=${expires}`
    const base = `"@method": POST\n"@authority": ${new URL(simulator.url).host}\n"@path": /pawapay/v2/deposits\n"content-digest": ${digest}\n"@signature-params": ${parameters}`
    const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding }).toString('base64')
    return {
      'content-type': 'application/json',
      'content-digest': digest,
      'signature-input': `sig-pp=${parameters}`,
      signature: `sig-pp=:${signature}:`,
    }
  }

  function send(body: string, headers: Record<string, string>) {
    return createPawapayClient(simulator, token).call('/v2/deposits', { method: 'POST', body, headers })
  }

  test.each(['der', 'ieee-p1363'] as const)('are accepted in %s', async (encoding) => {
    const body = deposit()
    expect((await send(body, signedHeaders(body, encoding))).json()).toMatchObject({ status: 'ACCEPTED' })
  })

  test('are refused with 403 when missing, expired or made for another body', async () => {
    const body = deposit()
    const answers = [
      await send(body, { 'content-type': 'application/json' }),
      await send(body, signedHeaders(body, 'der', 1)),
      await send(deposit(), signedHeaders(body, 'der')),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(answer.json()).toMatchObject({ failureReason: { failureCode: 'HTTP_SIGNATURE_ERROR' } })
    }
  })
})
