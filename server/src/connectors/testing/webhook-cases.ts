import { describe, expect, test, vi } from 'vitest'
import type { Attempt, ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { absent } from './absent.ts'
import { mainFlows, type ContractHarness, type Flow } from './harness.ts'
import { runToEnd, completePayment, expectAccepted, send, sentinel } from './steps.ts'
import type { Fixture } from './fixture.ts'

/** For a webhook of the simulator to arrive, also on a busy machine. */
export const webhookWaitMs = 25_000

/** Headers that the transport adds; any other may be the signature. */
export const transportHeaders = new Set(['host', 'content-type', 'content-length', 'connection'])

export function webhookCases(harness: ContractHarness, fixture: () => Fixture): void {
  const { kind } = harness.webhooks
  describe('webhooks', () => {
    if (kind === 'none') {
      absent('webhooks')
      return
    }
    for (const flow of mainFlows(harness.flows)) {
      describe(flow.title, () => {
        contentCases(flow, fixture)
      })
    }
    describe('authenticity', () => {
      if (kind === 'signed') signatureCases(harness, fixture)
      else unsignedCases(harness, fixture)
    })
  })
}

function contentCases(flow: Flow, fixture: () => Fixture): void {
  test('a completed payment is reported with our reference, and a repeat has the same dedupe key', async () => {
    const { attempt, requests } = await completed(fixture(), flow)
    const updates = updatesAbout(fixture(), requests, attempt)
    const last = updates.at(-1)
    expect(last).toMatchObject({
      reference: nameOf(fixture(), attempt),
      subject: 'attempt',
      state: { state: 'completed' },
    })
    if (last?.amount) expect(last.amount).toEqual(attempt.amount)
    const again = await resend(fixture(), attempt, { forge: false })
    const repeated = updatesAbout(fixture(), again, attempt)
    const keys = new Set(repeated.map((update) => update.dedupeKey))
    expect(keys.size).toBe(1)
    // Answers to inquiries have separate keys.
    const completions = updates.filter(({ state }) => state.state === 'completed')
    expect(completions.map((update) => update.dedupeKey)).toContain([...keys][0])
  })

  test.skipIf(flow.reportsFailure === false)(
    'a failed payment is reported with our code and message',
    async () => {
      const before = fixture().receiver.received().length
      const { attempt, outcome } = await send(fixture(), flow, sentinel(flow, '14'))
      await runToEnd(fixture(), attempt, expectAccepted(outcome))
      const requests = await webhooksUntil(fixture(), { before, about: attempt, state: 'failed' })
      expect(updatesAbout(fixture(), requests, attempt).at(-1)?.state).toMatchObject({
        state: 'failed',
        failure: { message: expect.stringMatching(/./) },
      })
    },
  )

  test('two payments have different dedupe keys', async () => {
    const [one, other] = [await completed(fixture(), flow), await completed(fixture(), flow)]
    const keys = [one, other].map(
      ({ attempt, requests }) => updatesAbout(fixture(), requests, attempt).at(-1)?.dedupeKey,
    )
    expect(new Set(keys).size).toBe(2)
  })

  test.each(['', 'no json', '{}', '[]', 'null', '{"event":"of.next.year","data":{}}'])(
    'an unknown body is no update: %j',
    (body) => {
      expect(fixture().connector.readWebhook?.(Buffer.from(body))).toEqual([])
    },
  )
}

function signatureCases(harness: ContractHarness, fixture: () => Fixture): void {
  const [flow] = harness.flows

  test('a signed webhook has the verdict that the connector declares', async () => {
    const { requests } = await completed(fixture(), flow)
    expect(requests).not.toEqual([])
    for (const request of requests) expect(await verdictOf(fixture(), request)).toBe(genuineVerdict(harness))
  })

  test('a webhook with another signature is forged', async () => {
    const { attempt } = await completed(fixture(), flow)
    const forged = await resend(fixture(), attempt, { forge: true })
    expect(forged).not.toEqual([])
    for (const request of forged) expect(await verdictOf(fixture(), request)).toBe('forged')
  })

  test('a webhook without its signature is forged', async () => {
    const { requests } = await completed(fixture(), flow)
    const request = lastOf(requests)
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => transportHeaders.has(name)),
    )
    const text = request.rawBody.toString('utf8').replace(/("(?:hmacS|S)ignature":)"[^"]*"/, '$1""')
    expect(await verdictOf(fixture(), { ...request, headers, rawBody: Buffer.from(text) })).toBe('forged')
  })

  const { windowMs, binds } = harness.webhooks
  const isWhole = binds !== 'fields'

  test.skipIf(isWhole)('a webhook with a changed byte is forged, or the byte is never read', async () => {
    const request = lastOf((await completed(fixture(), flow)).requests)
    const genuine = fixture().connector.readWebhook?.(request.rawBody)
    let forged = 0
    for (let position = 0; position < request.rawBody.length; position += 1) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      const isForged = (await verdictOf(fixture(), { ...request, rawBody })) === 'forged'
      forged += isForged ? 1 : 0
      if (!isForged) expect(fixture().connector.readWebhook?.(rawBody)).toEqual(genuine)
    }
    expect(forged).toBeGreaterThan(request.rawBody.length / 2)
  })

  test.skipIf(!isWhole)('a webhook with a changed byte is forged, wherever the byte is', async () => {
    const { requests } = await completed(fixture(), flow)
    const request = lastOf(requests)
    const { length } = request.rawBody
    for (const position of [0, Math.floor(length / 3), Math.floor(length / 2), length - 1]) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      expect(await verdictOf(fixture(), { ...request, rawBody })).toBe('forged')
    }
    const longer = Buffer.concat([request.rawBody, Buffer.from(' ')])
    expect(await verdictOf(fixture(), { ...request, rawBody: longer })).toBe('forged')
  })

  test.skipIf(windowMs === undefined)(
    'a webhook that is replayed after its maximum age is forged',
    async () => {
      const { requests } = await completed(fixture(), flow)
      const verdict = await fixture().withClockAhead((windowMs ?? 0) + 1_000, () =>
        verdictOf(fixture(), lastOf(requests)),
      )
      expect(verdict).toBe('forged')
    },
  )
}

function unsignedCases(harness: ContractHarness, fixture: () => Fixture): void {
  const [flow] = harness.flows

  test('a webhook with the secret is unsigned, also when it is replayed', async () => {
    const { requests } = await completed(fixture(), flow)
    const request = lastOf(requests)
    for (let time = 0; time < 2; time += 1) expect(await verdictOf(fixture(), request)).toBe('unsigned')
  })

  test('a webhook without the secret or with another is forged', async () => {
    const request = lastOf((await completed(fixture(), flow)).requests)
    expect(
      await verdictOf(
        fixture(),
        withSecret(request, () => undefined),
      ),
    ).toBe('forged')
    expect(
      await verdictOf(
        fixture(),
        withSecret(request, (value) => `${value}x`),
      ),
    ).toBe('forged')
    expect(
      await verdictOf(
        fixture(),
        withSecret(request, (value) => value.slice(0, -1)),
      ),
    ).toBe('forged')
  })

  test('a changed byte is never verified and does not change the result of an inquiry', async () => {
    const { attempt, requests } = await completed(fixture(), flow)
    const request = lastOf(requests)
    const before = await fixture().connector.inquire(attempt)
    for (const position of [0, Math.floor(request.rawBody.length / 2), request.rawBody.length - 1]) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      expect(await verdictOf(fixture(), { ...request, rawBody })).not.toBe('verified')
    }
    expect(await fixture().connector.inquire(attempt)).toEqual(before)
  })
}

/** Only a message that no other merchant can have signed is verified. */
export const genuineVerdict = ({ definition, webhooks }: ContractHarness): string => {
  if (webhooks.kind === 'unsigned') return 'unsigned'
  return definition.webhooks?.proves === 'account' ? 'verified' : 'provider'
}

/** The same request with the secrets in headers and address replaced. */
function withSecret(request: WebhookRequest, change: (value: string) => string | undefined): WebhookRequest {
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [
      name,
      transportHeaders.has(name) ? value : change(String(value)),
    ]),
  )
  const url = new URL(request.url)
  for (const [name, value] of new URLSearchParams(url.search)) {
    const changed = change(value)
    if (changed === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, changed)
  }
  return { ...request, headers, url: url.href }
}

/** Completes a payment and returns its webhooks. */
export async function completed(
  fixture: Fixture,
  flow: Flow,
): Promise<{ attempt: Attempt; requests: readonly WebhookRequest[] }> {
  const before = fixture.receiver.received().length
  const attempt = await completePayment(fixture, flow)
  return { attempt, requests: await webhooksUntil(fixture, { before, about: attempt, state: 'completed' }) }
}

/** Waits, because a payment that ends during its call is reported some time after the answer. */
export async function webhooksUntil(
  fixture: Fixture,
  { before, about, state }: { before: number; about: AttemptIds; state: ProviderState['state'] },
): Promise<readonly WebhookRequest[]> {
  const arrived = () => fixture.receiver.received().slice(before)
  await fixture.simulator.settle()
  await vi.waitFor(() => {
    const states = updatesAbout(fixture, arrived(), about).map((update) => update.state.state)
    expect(states).toContain(state)
  }, webhookWaitMs)
  return arrived()
}

async function resend(
  fixture: Fixture,
  attempt: Attempt,
  { forge }: { forge: boolean },
): Promise<readonly WebhookRequest[]> {
  const before = fixture.receiver.received().length
  const reference = attempt.reference
  const send = (name: string) =>
    fetch(`${fixture.simulator.url}/${fixture.provider}/_webhooks/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference: name, forge }),
    })
  const answer = await send(reference)
  // If the provider stores no reference of ours, the simulator finds the payment by the provider's id.
  const [providerRef = ''] = (attempt.providerRef ?? '').split('/')
  if (!answer.ok) expect((await send(providerRef)).ok).toBe(true)
  return fixture.receiver.received().slice(before)
}

type AttemptIds = Pick<Attempt, 'reference' | 'providerRef'>

const nameOf = ({ harness }: Fixture, { reference, providerRef }: AttemptIds): string =>
  harness.webhooks.named === undefined ? reference : (providerRef ?? '')

export const updatesAbout = (
  fixture: Fixture,
  requests: readonly WebhookRequest[],
  about: AttemptIds,
): ProviderUpdate[] =>
  requests
    .flatMap(({ rawBody, url }) => fixture.connector.readWebhook?.(rawBody, url) ?? [])
    .filter((update) => update.reference === nameOf(fixture, about))

export async function verdictOf(fixture: Fixture, request: WebhookRequest): Promise<string | undefined> {
  return (await fixture.connector.verifyWebhook?.(request))?.kind
}

function lastOf(requests: readonly WebhookRequest[]): WebhookRequest {
  const last = requests.at(-1)
  if (!last) throw new Error('no webhook arrived')
  return last
}
