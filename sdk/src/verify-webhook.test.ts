import { execFileSync, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { freePort } from '@switchyard/stack/services/ports.ts'
import { waitUntil } from '@switchyard/stack/services/wait-until.ts'
import { newSecret, signatureHeaders } from '@switchyard/server/domains/events/webhooks/rules.ts'
import {
  verifyServiceSignature,
  verifyWebhook,
  WebhookVerificationError,
  type WebhookHeaders,
} from './verify-webhook.ts'

const now = new Date()
const event = {
  event_id: '0199a3c2-0000-7000-8000-000000000000',
  event_type: 'payment.completed',
  org_id: 'o',
  created_at: now.toISOString(),
  data: { amount: 1500.5, name: 'Zoë 🦆' },
}
const body = JSON.stringify(event)
const secret = newSecret()

const signed = (change: { current?: string; previous?: string; body?: string; at?: Date } = {}) =>
  signatureHeaders(
    { current: change.current ?? secret, previous: change.previous },
    { eventId: event.event_id, body: change.body ?? body, attempt: 1, at: change.at ?? now },
  )
const refusal = (verify: () => unknown): string => {
  try {
    verify()
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.message
    throw error
  }
  return 'it was accepted'
}
const mismatch = 'the signature does not match'

describe('a genuine delivery', () => {
  it('returns its event, from text or bytes, with both signatures', () => {
    for (const raw of [body, Buffer.from(body), new TextEncoder().encode(body)]) {
      expect(verifyWebhook(raw, signed(), secret)).toEqual(event)
      expect(verifyServiceSignature(raw, signed(), secret)).toEqual(event)
    }
  })

  it('passes with headers in any case, from Node or fetch', () => {
    const upper = Object.fromEntries(
      Object.entries(signed()).map(([name, value]) => [name.toUpperCase(), value]),
    )
    for (const headers of [upper, new Headers(signed())]) {
      expect(verifyWebhook(body, headers, secret)).toEqual(event)
      expect(verifyServiceSignature(body, headers, secret)).toEqual(event)
    }
  })

  it('passes with the old and the new secret during a rotation', () => {
    const next = newSecret()
    const headers = signed({ current: next, previous: secret })
    expect(verifyWebhook(body, headers, secret)).toEqual(event)
    expect(verifyWebhook(body, headers, next)).toEqual(event)
    expect(verifyServiceSignature(body, headers, next)).toEqual(event)
    expect(refusal(() => verifyServiceSignature(body, headers, secret))).toBe(mismatch)
  })

  it('passes with any JSON body', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const headers = signed({ body: text })
        expect(verifyWebhook(text, headers, secret)).toEqual(JSON.parse(text))
        expect(verifyServiceSignature(text, headers, secret)).toEqual(JSON.parse(text))
      }),
    )
  })
})

describe('a delivery is refused', () => {
  it('when any byte of its body has changed', () => {
    const bytes = Buffer.from(body)
    for (const index of bytes.keys()) {
      const changed = Buffer.from(bytes)
      changed[index] = (changed[index] ?? 0) ^ 1
      expect(refusal(() => verifyWebhook(changed, signed(), secret))).toBe(mismatch)
      expect(refusal(() => verifyServiceSignature(changed, signed(), secret))).toBe(mismatch)
    }
  })

  it('when the secret is a different one', () => {
    expect(refusal(() => verifyWebhook(body, signed(), newSecret()))).toBe(mismatch)
    expect(refusal(() => verifyServiceSignature(body, signed(), newSecret()))).toBe(mismatch)
  })

  it('when its id or timestamp has changed', () => {
    const later = String(Math.floor(now.getTime() / 1000) + 1)
    for (const change of [{ 'webhook-id': 'another' }, { 'webhook-timestamp': later }])
      expect(refusal(() => verifyWebhook(body, { ...signed(), ...change }, secret))).toBe(mismatch)
  })

  it('when its signature is truncated, empty, of another version or nonsense', () => {
    const [genuine = ''] = Object.values(signed()).filter((value) => value.startsWith('v1,'))
    for (const value of [
      'v1,',
      genuine.slice(0, -4),
      genuine.replace('v1', 'v2'),
      genuine.slice(3),
      'x',
      ' ',
    ])
      expect(refusal(() => verifyWebhook(body, { ...signed(), 'webhook-signature': value }, secret))).toBe(
        mismatch,
      )
    for (const value of ['zz', signed()['x-service-signature']!.slice(2)])
      expect(
        refusal(() => verifyServiceSignature(body, { ...signed(), 'x-service-signature': value }, secret)),
      ).toBe(mismatch)
  })

  it('when a header is missing: the weaker signature never replaces the stronger one', () => {
    for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
      for (const value of [undefined, '']) {
        const headers: WebhookHeaders = { ...signed(), [name]: value }
        expect(refusal(() => verifyWebhook(body, headers, secret))).toBe(`there is no ${name} header`)
      }
    }
    expect(refusal(() => verifyServiceSignature(body, {}, secret))).toBe(
      'there is no x-service-signature header',
    )
  })

  it.each([
    [-301, 'the timestamp is too far from now'],
    [-300, 'it was accepted'],
    [-299, 'it was accepted'],
    [0, 'it was accepted'],
    [299, 'it was accepted'],
    [300, 'it was accepted'],
    [301, 'the timestamp is too far from now'],
  ])('when it is more than five minutes from now: %i s', (seconds, verdict) => {
    const at = new Date(Math.floor(now.getTime() / 1000 + seconds) * 1000)
    const whole = new Date(Math.floor(now.getTime() / 1000) * 1000)
    expect(refusal(() => verifyWebhook(body, signed({ at }), secret, { now: whole }))).toBe(verdict)
  })

  it('when its timestamp is not a number, or is outside a custom tolerance', () => {
    for (const timestamp of ['now', '', 'NaN', '1e9', '-1'])
      expect(
        refusal(() => verifyWebhook(body, { ...signed(), 'webhook-timestamp': timestamp }, secret)),
      ).not.toBe('it was accepted')
    const at = new Date(now.getTime() - 20_000)
    expect(
      refusal(() => verifyWebhook(body, signed({ at }), secret, { toleranceSeconds: 10, now })),
    ).toContain('far')
  })
})

it('a tolerance of zero accepts the very second and nothing else', () => {
  const whole = new Date(Math.floor(now.getTime() / 1000) * 1000)
  const verdict = (at: Date): string =>
    refusal(() => verifyWebhook(body, signed({ at }), secret, { toleranceSeconds: 0, now: whole }))
  expect(verdict(whole)).toBe('it was accepted')
  for (const offsetMs of [-1_000, 1_000])
    expect(verdict(new Date(whole.getTime() + offsetMs))).toBe('the timestamp is too far from now')
})

it('signatures are compared in constant time and in no other way', () => {
  const source = readFileSync(join(import.meta.dirname, 'verify-webhook.ts'), 'utf8')
  expect(source.match(/isEqual\(/g)).toHaveLength(2)
  expect(source).toContain('timingSafeEqual(given, expected)')
  expect(source).not.toMatch(/(?:expected|signature|digest\(\)) ?===/)
})

it('a secret is taken with its prefix or without', () => {
  expect(verifyWebhook(body, signed(), secret.replace('whsec_', ''))).toEqual(event)
})

it('what cannot be a signature or a time is no match, even if it can be read as one', () => {
  const genuine = signed()['x-service-signature'] ?? ''
  for (const value of [`${genuine}0`, genuine.replace(/../, (pair) => `${pair} `), `0x${genuine}`])
    expect(
      refusal(() => verifyServiceSignature(body, { ...signed(), 'x-service-signature': value }, secret)),
    ).toBe(mismatch)
  const timestamp = ` ${Math.floor(now.getTime() / 1000)}`
  expect(refusal(() => verifyWebhook(body, { ...signed(), 'webhook-timestamp': timestamp }, secret))).toBe(
    'the timestamp is too far from now',
  )
})

it('a header that is called get is not a function to call', () => {
  expect(verifyWebhook(body, { ...signed(), get: 'x' }, secret)).toEqual(event)
})

it('its error has a name that a log shows', () => {
  expect(String(new WebhookVerificationError('no'))).toBe('WebhookVerificationError: no')
})

it('an empty secret is a configuration error of the receiver, not a key', () => {
  expect(() => verifyWebhook(body, signed(), 'whsec_')).toThrow(TypeError)
})

describe('other implementations verify what the server signs', () => {
  /** The package is not a dependency: this is its documented algorithm, and its authors published the vector below. */
  function standardWebhooks(payload: string, headers: Record<string, string>, key: string): boolean {
    const content = [headers['webhook-id'], headers['webhook-timestamp'], payload].join('.')
    const mac = createHmac('sha256', Buffer.from(key.split('_')[1] ?? '', 'base64'))
    const expected = mac.update(content, 'utf8').digest('base64')
    return (headers['webhook-signature'] ?? '').split(' ').some((part) => {
      const [version, value] = part.split(',')
      return version === 'v1' && value === expected
    })
  }
  const docs = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8')
  const codeOf = (language: string): string =>
    new RegExp(`<!-- tested: ${language} -->\\s+\`\`\`\\w+\\n([^]*?)\`\`\``).exec(docs)?.[1] ?? ''

  it('the server signs and the SDK accepts the reference vector of Standard Webhooks', () => {
    const reference = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
    const at = new Date(1_614_265_330_000)
    const raw = '{"test": 2432232314}'
    const headers = signatureHeaders(
      { current: reference, previous: undefined },
      { eventId: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: raw, attempt: 1, at },
    )
    expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
    expect(verifyWebhook(raw, headers, reference, { now: at })).toEqual({ test: 2432232314 })
  })

  it('a Standard Webhooks library', () => {
    const rotated = signed({ current: newSecret(), previous: secret })
    expect(standardWebhooks(body, signed(), secret)).toBe(true)
    expect(standardWebhooks(body, rotated, secret)).toBe(true)
    expect(standardWebhooks(`${body} `, signed(), secret)).toBe(false)
  })

  it('the Python example in the docs, which refuses a changed body and an old timestamp', () => {
    const verifyInPython = (raw: string, headers: object): string => {
      const program = `${codeOf('python')}
import sys
given = json.loads(sys.stdin.read())
try:
    print(verify_webhook(given["body"].encode(), given["headers"], given["secret"])["event_id"])
except ValueError as error:
    print(error)
`
      const input = JSON.stringify({ body: raw, headers, secret })
      return execFileSync('python3', ['-c', program], { input, encoding: 'utf8' }).trim()
    }
    expect(verifyInPython(body, signed())).toBe(event.event_id)
    expect(verifyInPython(body, signed({ current: newSecret(), previous: secret }))).toBe(event.event_id)
    expect(verifyInPython(`${body} `, signed())).toBe(mismatch)
    expect(verifyInPython(body, signed({ at: new Date(now.getTime() - 400_000) }))).toContain(
      'too far from now',
    )
  })

  it('the Node example in the docs, over HTTP', async () => {
    const file = join(import.meta.dirname, `docs-example-${process.pid}.mjs`)
    const port = await freePort()
    writeFileSync(file, codeOf('node').replace('@switchyard/sdk/verify-webhook', './verify-webhook.ts'))
    const child = spawn(process.execPath, [file], {
      env: { PATH: process.env['PATH'], PORT: String(port), WEBHOOK_SECRET: secret },
      stdio: 'ignore',
    })
    try {
      const post = async (raw: string): Promise<number | undefined> => {
        const sent = await fetch(`http://127.0.0.1:${port}`, {
          method: 'POST',
          headers: signed(),
          body: raw,
        }).catch(() => undefined)
        return sent?.status
      }
      expect(await waitUntil(() => post(body), { what: 'the example' })).toBe(204)
      expect(await post(`${body} `)).toBe(400)
    } finally {
      child.kill()
      await once(child, 'exit')
      rmSync(file)
    }
  })
})
