import { randomUUID } from 'node:crypto'
import type {
  AcceptedOutcome,
  Attempt,
  Card,
  Connector,
  Inquiry,
  Outcome,
  WebhookRequest,
} from '../../kit/connector.ts'
import { createHttpClient, type HttpCall } from '../../kit/http-client.ts'
import { stripeConnector } from '../connector.ts'

export const dayMs = 86_400_000
export const returnUrl = 'https://pay.example.test/return'
export const card: Card = { number: '4242424242424242', expiryMonth: '12', expiryYear: '40', cvv: '987' }
export const details = { payer: { name: 'Ada Lovelace', email: 'ada@example.test' }, returnUrl }

/** The part of the simulator that these tests use. */
interface Surroundings {
  readonly clock: { readonly now: () => Date }
  readonly simulator: {
    readonly providerUrl: (provider: string) => string
    readonly webhooks: (provider: string) => readonly {
      readonly reference: string
      readonly body: string
      readonly headers: Readonly<Record<string, string>>
    }[]
  }
}

/** A connector and the simulator with the same clock. */
export interface StripeFixture {
  readonly connector: Connector
  readonly calls: HttpCall[]
  readonly connectorWith: (credentials: object, timeoutMs?: number) => Connector
  readonly attemptOf: (more?: Partial<Attempt>) => Attempt
  readonly send: (attempt: Attempt, more?: object) => Promise<Attempt & { sent: AcceptedOutcome }>
  readonly webhooksAbout: (attempt: { reference: string }) => WebhookRequest[]
  readonly statesTold: (attempt: { reference: string }) => string[]
}

export function openStripeFixture({ clock, simulator }: Surroundings): StripeFixture {
  const calls: HttpCall[] = []
  const http = createHttpClient()
  const connectorWith: StripeFixture['connectorWith'] = (more, timeoutMs = 20_000) =>
    stripeConnector.create({
      webhookUrl: 'https://api.test/hook',
      credentials: stripeConnector.credentials.parse({
        secretKey: 'sk_test_switchyard_sandbox',
        webhookSecrets: ['whsec_old', 'whsec_switchyard_sandbox'],
        baseUrl: `${simulator.providerUrl('stripe')}/`,
        ...more,
      }),
      clock,
      http: (call) => {
        calls.push(call)
        return http({ ...call, timeoutMs })
      },
    })
  const connector = connectorWith({})
  const webhooksAbout: StripeFixture['webhooksAbout'] = ({ reference }) =>
    simulator
      .webhooks('stripe')
      .filter((webhook) => webhook.reference === reference)
      .map(({ body, headers }) => ({
        headers,
        rawBody: Buffer.from(body),
        method: 'POST',
        url: 'https://x.test/',
      }))
  return {
    connector,
    calls,
    connectorWith,
    attemptOf: (more) => ({
      reference: randomUUID(),
      providerRef: null,
      direction: 'payin',
      method: 'card',
      country: 'GB',
      amount: { amountMinor: 2_000n, currency: 'GBP' },
      createdAt: clock.now(),
      ...more,
    }),
    send: async (attempt, more) => {
      const sent = accepted(await connector.collect?.(attempt, { ...details, ...more }))
      return { ...attempt, providerRef: sent.providerRef, sent }
    },
    webhooksAbout,
    statesTold: (attempt) =>
      webhooksAbout(attempt).flatMap(({ rawBody }) =>
        (connector.readWebhook?.(rawBody) ?? []).map(({ state }) => state.state),
      ),
  }
}

export function accepted(answer: Outcome | Inquiry | undefined): AcceptedOutcome {
  if (answer?.kind !== 'accepted') throw new Error(`not accepted: ${answer?.kind ?? 'nothing'}`)
  return answer
}

export function redirectOf({ nextAction }: AcceptedOutcome): string {
  if (nextAction?.type !== 'redirect') throw new Error('no redirect')
  return nextAction.url
}

/** Presses a button on one of the simulator's pages. */
export const press = (url: string, decision: string, number = ''): Promise<Response> =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ decision, number }), redirect: 'manual' })
