import { describe, expect, test, vi } from 'vitest'
import type { Attempt, ProviderUpdate, WebhookRequest } from '../kit/connector.ts'
import type { ProviderState } from '../kit/state.ts'
import { absent } from './absent.ts'
import { mainFlows, type ContractHarness, type Flow } from './harness.ts'
import { runToEnd, completePayment, expectAccepted, send, sentinel } from './steps.ts'
import type { World } from './world.ts'

const arrivalTimeoutMs = 5_000
/** Headers that the transport adds; any other may be the signature. */
export const transportHeaders = new Set(['host', 'content-type', 'content-length', 'connection'])

export function webhookCases(harness: ContractHarness, world: () => World): void {
  const { kind } = harness.webhooks
  describe('webhooks', () => {
    if (kind === 'none') {
      absent('webhooks')
      return
    }
    for (const flow of mainFlows(harness.flows)) {
      describe(flow.title, () => {
        contentCases(flow, world)
      })
    }
    describe('authenticity', () => {
      if (kind === 'signed') signatureCases(harness, world)
      else unsignedCases(harness, world)
    })
  })
}

function contentCases(flow: Flow, world: () => World): void {
  test('a completed payment is reported with our reference, and a repeat has the same dedupe key', async () => {
    const { attempt, requests } = await completed(world(), flow)
    const updates = updatesAbout(world(), requests, attempt)
    const last = updates.at(-1)
    expect(last).toMatchObject({
      reference: nameOf(world(), attempt),
      subject: 'attempt',
      state: { state: 'completed' },
    })
    if (last?.amount) expect(last.amount).toEqual(attempt.amount)
    const again = await resend(world(), attempt, { forge: false })
    const repeated = updatesAbout(world(), again, attempt)
    const keys = new Set(repeated.map((update) => update.dedupeKey))
    expect(keys.size).toBe(1)
    // Answers to inquiries have separate keys.
    const completions = updates.filter(({ state }) => state.state === 'completed')
    expect(completions.map((update) => update.dedupeKey)).toContain([...keys][0])
  })

  test.skipIf(flow.reportsFailure === false)(
    'a failed payment is reported with our code and message',
    async () => {
      const before = world().receiver.received().length
      const { attempt, outcome } = await send(world(), flow, sentinel(flow, '14'))
      await runToEnd(world(), attempt, expectAccepted(outcome))
      const requests = await webhooksUntil(world(), { before, about: attempt, state: 'failed' })
      expect(updatesAbout(world(), requests, attempt).at(-1)?.state).toMatchObject({
        state: 'failed',
        failure: { message: expect.stringMatching(/./) },
      })
    },
  )

  test('two payments have different dedupe keys', async () => {
    const [one, other] = [await completed(world(), flow), await completed(world(), flow)]
    const keys = [one, other].map(
      ({ attempt, requests }) => updatesAbout(world(), requests, attempt).at(-1)?.dedupeKey,
    )
    expect(new Set(keys).size).toBe(2)
  })

  test.each(['', 'no json', '{}', '[]', 'null', '{"event":"of.next.year","data":{}}'])(
    'an unknown body is no update: %j',
    (body) => {
      expect(world().connector.readWebhook?.(Buffer.from(body))).toEqual([])
    },
  )
}

function signatureCases(harness: ContractHarness, world: () => World): void {
  const [flow] = harness.flows

  test('a signed webhook is verified', async () => {
    const { requests } = await completed(world(), flow)
    expect(requests).not.toEqual([])
    for (const request of requests) expect(await verdictOf(world(), request)).toBe('verified')
  })

  test('a webhook with another signature is forged', async () => {
    const { attempt } = await completed(world(), flow)
    const forged = await resend(world(), attempt, { forge: true })
    expect(forged).not.toEqual([])
    for (const request of forged) expect(await verdictOf(world(), request)).toBe('forged')
  })

  test('a webhook without its signature is forged', async () => {
    const { requests } = await completed(world(), flow)
    const request = lastOf(requests)
    const headers = Object.fromEntries(
      Object.entries(request.headers).filter(([name]) => transportHeaders.has(name)),
    )
    const text = request.rawBody.toString('utf8').replace(/("(?:hmacS|S)ignature":)"[^"]*"/, '$1""')
    expect(await verdictOf(world(), { ...request, headers, rawBody: Buffer.from(text) })).toBe('forged')
  })

  const { windowMs, binds } = harness.webhooks
  const isWhole = binds !== 'fields'

  test.skipIf(isWhole)('a webhook with a changed byte is forged, or the byte is never read', async () => {
    const request = lastOf((await completed(world(), flow)).requests)
    const genuine = world().connector.readWebhook?.(request.rawBody)
    let forged = 0
    for (let position = 0; position < request.rawBody.length; position += 1) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      const isForged = (await verdictOf(world(), { ...request, rawBody })) === 'forged'
      forged += isForged ? 1 : 0
      if (!isForged) expect(world().connector.readWebhook?.(rawBody)).toEqual(genuine)
    }
    expect(forged).toBeGreaterThan(request.rawBody.length / 2)
  })

  test.skipIf(!isWhole)('a webhook with a changed byte is forged, wherever the byte is', async () => {
    const { requests } = await completed(world(), flow)
    const request = lastOf(requests)
    const { length } = request.rawBody
    for (const position of [0, Math.floor(length / 3), Math.floor(length / 2), length - 1]) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      expect(await verdictOf(world(), { ...request, rawBody })).toBe('forged')
    }
    const longer = Buffer.concat([request.rawBody, Buffer.from(' ')])
    expect(await verdictOf(world(), { ...request, rawBody: longer })).toBe('forged')
  })

  test.skipIf(windowMs === undefined)(
    'a webhook that is replayed after its maximum age is forged',
    async () => {
      const { requests } = await completed(world(), flow)
      const verdict = await world().withClockAhead((windowMs ?? 0) + 1_000, () =>
        verdictOf(world(), lastOf(requests)),
      )
      expect(verdict).toBe('forged')
    },
  )
}

function unsignedCases(harness: ContractHarness, world: () => World): void {
  const [flow] = harness.flows

  test('a webhook with the secret is unsigned, also when it is replayed', async () => {
    const { requests } = await completed(world(), flow)
    const request = lastOf(requests)
    for (let time = 0; time < 2; time += 1) expect(await verdictOf(world(), request)).toBe('unsigned')
  })

  test('a webhook without the secret or with another is forged', async () => {
    const request = lastOf((await completed(world(), flow)).requests)
    expect(
      await verdictOf(
        world(),
        withSecret(request, () => undefined),
      ),
    ).toBe('forged')
    expect(
      await verdictOf(
        world(),
        withSecret(request, (value) => `${value}x`),
      ),
    ).toBe('forged')
    expect(
      await verdictOf(
        world(),
        withSecret(request, (value) => value.slice(0, -1)),
      ),
    ).toBe('forged')
  })

  test('a changed byte is never verified and does not change the result of an inquiry', async () => {
    const { attempt, requests } = await completed(world(), flow)
    const request = lastOf(requests)
    const before = await world().connector.inquire(attempt)
    for (const position of [0, Math.floor(request.rawBody.length / 2), request.rawBody.length - 1]) {
      const rawBody = Buffer.from(request.rawBody)
      rawBody[position] = (rawBody[position] ?? 0) ^ 1
      expect(await verdictOf(world(), { ...request, rawBody })).not.toBe('verified')
    }
    expect(await world().connector.inquire(attempt)).toEqual(before)
  })
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
  world: World,
  flow: Flow,
): Promise<{ attempt: Attempt; requests: readonly WebhookRequest[] }> {
  const before = world.receiver.received().length
  const attempt = await completePayment(world, flow)
  return { attempt, requests: await webhooksUntil(world, { before, about: attempt, state: 'completed' }) }
}

/** Waits, because a payment that ends during its call is reported some time after the answer. */
export async function webhooksUntil(
  world: World,
  { before, about, state }: { before: number; about: Named; state: ProviderState['state'] },
): Promise<readonly WebhookRequest[]> {
  const arrived = () => world.receiver.received().slice(before)
  await world.simulator.settle()
  await vi.waitFor(() => {
    const states = updatesAbout(world, arrived(), about).map((update) => update.state.state)
    expect(states).toContain(state)
  }, arrivalTimeoutMs)
  return arrived()
}

async function resend(
  world: World,
  attempt: Attempt,
  { forge }: { forge: boolean },
): Promise<readonly WebhookRequest[]> {
  const before = world.receiver.received().length
  const reference = attempt.reference
  const send = (name: string) =>
    fetch(`${world.simulator.url}/${world.provider}/_webhooks/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ reference: name, forge }),
    })
  const answer = await send(reference)
  // If the provider stores no reference of ours, the simulator finds the payment by the provider's id.
  const [providerRef = ''] = (attempt.providerRef ?? '').split('/')
  if (!answer.ok) expect((await send(providerRef)).ok).toBe(true)
  return world.receiver.received().slice(before)
}

type Named = Pick<Attempt, 'reference' | 'providerRef'>

const nameOf = ({ harness }: World, { reference, providerRef }: Named): string =>
  harness.webhooks.named === undefined ? reference : (providerRef ?? '')

export const updatesAbout = (
  world: World,
  requests: readonly WebhookRequest[],
  about: Named,
): ProviderUpdate[] =>
  requests
    .flatMap(({ rawBody, url }) => world.connector.readWebhook?.(rawBody, url) ?? [])
    .filter((update) => update.reference === nameOf(world, about))

export async function verdictOf(world: World, request: WebhookRequest): Promise<string | undefined> {
  return (await world.connector.verifyWebhook?.(request))?.kind
}

function lastOf(requests: readonly WebhookRequest[]): WebhookRequest {
  const last = requests.at(-1)
  if (!last) throw new Error('no webhook arrived')
  return last
}
