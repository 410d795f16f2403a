import { describe, expect, test } from 'vitest'
import type { Capability, WebhookRequest } from '../kit/connector.ts'
import type { WebhookProof } from '../kit/declared.ts'
import { mainFlows, shapeOf, type ContractHarness, type Flow } from './harness.ts'
import { acceptedOf, expectAccepted, newAttempt, send, sendAttempt } from './steps.ts'
import { completed, genuineVerdict, transportHeaders, verdictOf } from './webhook-cases.ts'
import type { Fixture } from './fixture.ts'

const yearMs = 365 * 86_400_000

/** Verifies on the wire the declarations from which `docs/connectors.md` is generated. */
export function declaredCases(harness: ContractHarness, fixture: () => Fixture): void {
  describe('declarations', () => {
    for (const flow of mainFlows(harness.flows)) {
      lookUpCase(harness, flow, fixture)
      idempotencyCase(harness, flow, fixture)
    }
    webhookProofCases(harness, fixture)
  })
}

export const covers = (capability: Capability, flow: Flow): boolean =>
  capability.direction === flow.direction &&
  capability.method === flow.method &&
  capability.countries.includes(flow.country) &&
  capability.currencies.includes(flow.currency)

const capabilityOf = (harness: ContractHarness, flow: Flow): Capability | undefined =>
  shapeOf(harness).capabilities.find((capability) => covers(capability, flow))

function lookUpCase(harness: ContractHarness, flow: Flow, fixture: () => Fixture): void {
  const lookUp = capabilityOf(harness, flow)?.lookUp ?? 'reference'
  test(`${flow.title}: payments are found by ${lookUp}`, async () => {
    const { attempt, outcome } = await send(fixture(), flow)
    expectAccepted(outcome)
    const known = await fixture().connector.inquire(attempt)
    const nameless = await fixture().connector.inquire({ ...attempt, providerRef: null })
    const isAsked = known.kind === 'unknown' && known.isAsked === true
    const seen = { known: isAsked ? 'asked' : known.kind, nameless: nameless.kind }
    const expected = {
      reference: { known: 'accepted', nameless: 'accepted' },
      provider_id: { known: 'accepted', nameless: 'unknown' },
      webhook: { known: 'asked', nameless: 'unknown' },
      none: { known: 'unknown', nameless: 'unknown' },
    }
    expect(seen).toEqual(expected[lookUp])
  })
}

function idempotencyCase(harness: ContractHarness, flow: Flow, fixture: () => Fixture): void {
  const idempotency = capabilityOf(harness, flow)?.idempotency ?? 'reference'
  test(`${flow.title}: a repeated request is idempotent by ${idempotency}`, async () => {
    const attempt = newAttempt(flow)
    const { calls } = fixture()
    const [firstCall, sequence] = [calls.length, fixture().lastSequence()]
    for (let time = 0; time < 2; time += 1) await sendAttempt(fixture(), { flow, attempt })
    const sent = calls.slice(firstCall).filter(({ method }) => method === 'POST')
    const keys = sent.map(({ headers }) => headers?.['idempotency-key'])
    const accepted = acceptedOf(fixture(), flow, sequence)
    expect(accepted).toHaveLength(idempotency === 'none' ? 2 : 1)
    expect(keys.includes(attempt.reference)).toBe(idempotency === 'header')
    if (idempotency === 'reference') expect(accepted[0]?.reference).toBe(attempt.reference)
  })
}

function webhookProofCases(harness: ContractHarness, fixture: () => Fixture): void {
  const { webhooks: proof } = harness.definition
  const { kind, windowMs, binds = 'body' } = harness.webhooks

  test('the declared webhook proof is the one that the suite tests', () => {
    const bound = { signed: binds, unsigned: 'nothing', none: undefined } as const
    expect(proof?.binds).toBe(bound[kind])
    expect(proof?.maxAgeMs).toBe(windowMs)
  })

  if (!proof) return
  test(`a webhook carries ${proof.scheme}`, async () => {
    const { requests } = await completed(fixture(), harness.flows[0])
    expect(requests).not.toEqual([])
    for (const request of requests) expect(carries(proof, request, harness.secrets)).toBe(true)
  })

  test.skipIf(kind !== 'signed' || windowMs !== undefined)('its signature does not expire', async () => {
    const { requests } = await completed(fixture(), harness.flows[0])
    for (const request of requests)
      expect(await fixture().withClockAhead(yearMs, () => verdictOf(fixture(), request))).toBe(
        genuineVerdict(harness),
      )
  })
}

/** The trace of each scheme in a request. The length of a signature identifies its algorithm. */
const marks: Readonly<Record<Exclude<WebhookProof['scheme'], 'secret in a header'>, RegExp>> = {
  'HMAC-SHA256': /\b[\da-f]{64}\b|(?<![\w+/])[\w+/]{43}=(?!=)/i,
  'HMAC-SHA512': /\b[\da-f]{128}\b|(?<![\w+/])[\w+/]{86}==/i,
  'RSA-SHA256': /(?<![\w+/])[\w+/]{342}==/,
  'HTTP message signature': /^signature-input: /m,
  'JWS ES512': /: eyJ[\w-]+\.\.[\w-]{176}$/m,
  'address that cannot be guessed': /^POST \S+[?&]\w+=[\w-]{32}(&|$)/m,
}

function carries({ scheme }: WebhookProof, request: WebhookRequest, secrets: readonly string[]): boolean {
  const headers = Object.entries(request.headers).filter(([name]) => !transportHeaders.has(name))
  if (scheme === 'secret in a header') return headers.some(([, value]) => secrets.includes(String(value)))
  const lines = headers.map(([name, value]) => `${name}: ${String(value)}`)
  const text = [`${request.method} ${request.url}`, ...lines, request.rawBody.toString('utf8')].join('\n')
  return marks[scheme].test(text)
}
