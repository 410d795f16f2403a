import { Agent, request } from 'undici'
import { LIMITS } from '../limits.ts'
import type { UnsignedWebhook, WebhookDraft } from '../protocol.ts'
import type { Account } from './accounts.ts'
import { runInBackground } from './background.ts'
import { sleep, type Clock } from './clock.ts'
import type { Operation } from './faults.ts'
import { createGate } from './gate.ts'

interface WebhookAttempt {
  readonly at: string
  readonly status?: number
  readonly answer?: string
  readonly error?: string
}

export interface WebhookDelivery {
  readonly id: number
  readonly account: string
  readonly reference: string
  readonly event: string
  readonly url: string | undefined
  readonly forged: boolean
  readonly body: string
  /** The result of the latest attempt. */
  readonly headers: Readonly<Record<string, string>>
  readonly attempts: readonly WebhookAttempt[]
  readonly outcome: 'waiting' | 'delivered' | 'given_up' | 'dropped' | 'no_url' | 'queue_full'
}

export interface OutgoingWebhook {
  readonly account: Account
  /** The subject of the webhook; faults can be limited to its reference or its operation. */
  readonly transaction: { readonly reference: string; readonly operation: Operation }
  readonly draft: WebhookDraft
  readonly forged: boolean
  readonly copies: number
}

export interface Deliverer {
  /** Resolves after the first attempt; retries continue in the background. */
  readonly deliver: (outgoing: OutgoingWebhook) => Promise<void>
  /** Records the webhook without sending it. */
  readonly drop: (outgoing: OutgoingWebhook) => void
  readonly deliveries: () => readonly WebhookDelivery[]
  readonly stop: () => Promise<void>
}

interface DelivererOptions {
  readonly clock: Clock
  readonly retryDelaysMs: readonly number[]
  readonly sign: (webhook: UnsignedWebhook) => Readonly<Record<string, string>>
  readonly signBody: (webhook: UnsignedWebhook) => string
}

export function createDeliverer(options: DelivererOptions): Deliverer {
  const agent = new Agent({ connections: LIMITS.webhooksInFlight })
  const gate = createGate(LIMITS.webhooksInFlight, LIMITS.webhooksWaiting)
  const deliveries = new Map<number, WebhookDelivery>()
  let lastId = 0
  let stopped = false

  function record(delivery: WebhookDelivery): WebhookDelivery {
    deliveries.set(delivery.id, delivery)
    const oldest = deliveries.keys().next().value
    if (deliveries.size > LIMITS.webhooksKept && oldest !== undefined) deliveries.delete(oldest)
    return delivery
  }

  async function attempt(
    delivery: WebhookDelivery,
    outgoing: OutgoingWebhook,
    url: URL,
  ): Promise<WebhookDelivery> {
    const at = options.clock.now()
    const { headers, body } = signed(options, outgoing, { url, at })
    const result = await gate.run(() => post(agent, url, { headers, body }))
    const attempts = [...delivery.attempts, { at: at.toISOString(), ...result }]
    return record({ ...delivery, headers, body, attempts, outcome: outcomeOf(result) })
  }

  async function retry(delivery: WebhookDelivery, outgoing: OutgoingWebhook, url: URL): Promise<void> {
    let latest = delivery
    for (const delayMs of options.retryDelaysMs) {
      await sleep(options.clock, delayMs)
      if (stopped) return
      latest = await attempt(latest, outgoing, url)
      if (latest.outcome !== 'waiting') return
    }
    record({ ...latest, outcome: 'given_up' })
  }

  function enter(outgoing: OutgoingWebhook, outcome: WebhookDelivery['outcome']): WebhookDelivery {
    lastId += 1
    return record(newDelivery(lastId, outgoing, outcome))
  }

  return {
    deliver: async (outgoing) => {
      if (stopped) return
      const address = urlOf(outgoing)
      const delivery = enter(outgoing, address === undefined ? 'no_url' : 'waiting')
      if (address === undefined) return
      const url = new URL(address)
      const first = await attempt(delivery, outgoing, url)
      if (first.outcome === 'waiting') runInBackground(() => retry(first, outgoing, url))
    },
    drop: (outgoing) => void enter(outgoing, 'dropped'),
    deliveries: () => [...deliveries.values()],
    stop: async () => {
      stopped = true
      await agent.destroy()
    },
  }
}

function newDelivery(
  id: number,
  outgoing: OutgoingWebhook,
  outcome: WebhookDelivery['outcome'],
): WebhookDelivery {
  return {
    id,
    account: outgoing.account.name,
    reference: outgoing.transaction.reference,
    event: outgoing.draft.event,
    url: urlOf(outgoing),
    forged: outgoing.forged,
    body: outgoing.draft.body,
    headers: {},
    attempts: [],
    outcome,
  }
}

function urlOf(outgoing: OutgoingWebhook): string | undefined {
  return outgoing.draft.url ?? outgoing.account.webhookUrl
}

function signed(
  options: DelivererOptions,
  outgoing: OutgoingWebhook,
  { url, at }: { readonly url: URL; readonly at: Date },
): PostContent {
  const { forged } = outgoing
  const { body: draft, contentType } = outgoing.draft
  const account = forged ? withForgedSecrets(outgoing.account) : outgoing.account
  const webhook = { account, url, contentType, at, forged }
  const body = options.signBody({ ...webhook, body: draft })
  return { body, headers: { 'content-type': contentType, ...options.sign({ ...webhook, body }) } }
}

function withForgedSecrets(account: Account): Account {
  const secrets = Object.fromEntries(Object.keys(account.secrets).map((name) => [name, `forged-${name}`]))
  return { ...account, secrets }
}

type PostResult = Omit<WebhookAttempt, 'at'>

interface PostContent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

async function post(agent: Agent, url: URL, posting: PostContent): Promise<PostResult> {
  const signal = AbortSignal.timeout(LIMITS.webhookTimeoutMs)
  try {
    const response = await request(url, { method: 'POST', dispatcher: agent, signal, ...posting })
    const answer = await response.body.text()
    return { status: response.statusCode, answer: answer.slice(0, LIMITS.webhookAnswerCharacters) }
  } catch (error) {
    return { error: error instanceof Error ? error.message : 'unknown error' }
  }
}

function outcomeOf(result: PostResult | undefined): 'waiting' | 'delivered' | 'queue_full' {
  if (result === undefined) return 'queue_full'
  const { status = 0 } = result
  return status >= 200 && status < 300 ? 'delivered' : 'waiting'
}
