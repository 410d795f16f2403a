import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { json, type Answer } from '../../core/answer.ts'
import { bearerTokenOf, fieldOf, type Call, type OpenCall } from '../../core/call.ts'
import type { Kit, Protocol, Route } from '../../protocol.ts'
import { createPayout, createTransfer, listMovements, page, showMovement } from './movements.ts'
import { addRecipient, linkWire, openAddress, showInstructions, showWire, type Books } from './places.ts'
import { SANDBOX_CERTIFICATE } from './sandbox-key.ts'
import { sandbox } from './sandbox.ts'
import { CERTIFICATE_NAME, confirmationDraft, signatureHeaders, signBody, TOPIC, webhooksFor } from './sns.ts'
import { data, masterWalletOf, openBook, parseRequest, refusal } from './wire.ts'

/** Circle Mint: wires and SEPA in and out, USDC and EURC on chains. */
export const circle: Protocol = {
  name: 'circle',
  sandbox,
  create: (kit) => {
    const books = {
      wires: openBook(kit, 'wires'),
      recipients: openBook(kit, 'recipients'),
      addresses: openBook(kit, 'addresses'),
    }
    return {
      routes: [
        configurationRoute,
        ...placeRoutes(kit, books),
        ...movementRoutes(kit, books),
        ...snsRoutes(kit),
      ],
      serverError: refusal(500, -1, 'Something went wrong.'),
      rateLimited: refusal(429, 429, 'Limit exceeded.'),
      authenticate: (call, accounts) =>
        accounts.find(({ secrets }) => secrets['api_key'] === bearerTokenOf(call)) ??
        refusal(401, 401, 'Malformed authorization. Is the authorization type missing?'),
      webhooksFor,
      signBody,
      signWebhook: signatureHeaders,
    }
  },
}

const reference = (call: OpenCall) => fieldOf(call, 'idempotencyKey')

/** Returns the account that the caller's key belongs to. */
const configurationRoute: Route = {
  method: 'GET',
  path: '/circle/v1/configuration',
  on: 'account',
  handle: ({ account }) => data(200, { payments: { masterWalletId: masterWalletOf(account.name) } }),
}

function placeRoutes(kit: Kit, books: Books): Route[] {
  return [
    {
      method: 'POST',
      path: '/circle/v1/businessAccount/banks/wires',
      on: 'collect',
      reference,
      handle: (call) => linkWire(kit, books, call),
    },
    {
      method: 'GET',
      path: '/circle/v1/businessAccount/banks/wires/:id',
      on: 'inquire',
      handle: (call) => showWire(books, call),
    },
    {
      method: 'GET',
      path: '/circle/v1/businessAccount/banks/wires/:id/instructions',
      on: 'prepare',
      handle: (call) => showInstructions(books, call),
    },
    {
      method: 'POST',
      path: '/circle/v1/businessAccount/wallets/addresses/deposit',
      on: 'collect',
      reference,
      handle: (call) => openAddress(kit, books, call),
    },
    {
      method: 'POST',
      path: '/circle/v1/businessAccount/wallets/addresses/recipient',
      on: 'prepare',
      handle: (call) => addRecipient(books, call),
    },
    {
      method: 'GET',
      path: '/circle/v1/businessAccount/wallets/addresses/recipient',
      on: 'prepare',
      handle: (call) => page(books.recipients.all(call.account.name), call),
    },
  ]
}

function movementRoutes(kit: Kit, books: Books): Route[] {
  const creating = [
    ['payouts', createPayout],
    ['transfers', createTransfer],
  ] as const
  const created = creating.flatMap(([list, create]): Route[] => [
    {
      method: 'POST',
      path: `/circle/v1/businessAccount/${list}`,
      on: 'payout',
      reference,
      handle: (call) => create(kit, books, call),
    },
    {
      method: 'GET',
      path: `/circle/v1/businessAccount/${list}/:id`,
      on: 'inquire',
      handle: (call) => showMovement(kit, call),
    },
  ])
  const listed = (['deposits', 'payouts', 'transfers'] as const).map((list): Route => ({
    method: 'GET',
    path: `/circle/v1/businessAccount/${list}`,
    on: 'inquire',
    handle: (call) => listMovements(kit, call, list),
  }))
  return [...created, ...listed]
}

const subscriptionSchema = z.object({ id: z.string(), endpoint: z.url(), status: z.string() })
type Subscription = z.infer<typeof subscriptionSchema>

/** Webhook subscriptions and the part of Amazon SNS that they need. */
function snsRoutes(kit: Kit): Route[] {
  const subscriptions = kit.objects('subscriptions', subscriptionSchema)
  const show = ({ id, endpoint, status }: Subscription) => ({
    id,
    endpoint,
    subscriptionDetails: [{ url: TOPIC, status }],
  })
  return [
    {
      method: 'POST',
      path: '/circle/v1/notifications/subscriptions',
      on: 'account',
      handle: async (call: Call): Promise<Answer> => {
        const parsed = parseRequest(z.object({ endpoint: z.url() }), call)
        if ('refusal' in parsed) return parsed.refusal
        const subscription = { id: randomUUID(), endpoint: parsed.input.endpoint, status: 'pending' }
        subscriptions.put(subscription.id, subscription)
        const draft = confirmationDraft(subscription.endpoint, subscription.id)
        await kit.sendWebhook({ account: call.account.name, reference: subscription.id, draft })
        return data(201, show(subscription))
      },
    },
    {
      method: 'GET',
      path: '/circle/v1/notifications/subscriptions',
      on: 'account',
      handle: () => data(200, [...subscriptions.values()].map(show)),
    },
    {
      method: 'GET',
      path: `/circle/sns/${CERTIFICATE_NAME}`,
      on: 'list',
      open: true,
      handle: () => ({ status: 200, body: SANDBOX_CERTIFICATE }),
    },
    {
      method: 'GET',
      path: '/circle/sns/',
      on: 'account',
      open: true,
      handle: ({ query }) => {
        const subscription = subscriptions.get(query['Token'] ?? '')
        if (!subscription || query['TopicArn'] !== TOPIC) return json(400, { message: 'Invalid parameter' })
        subscriptions.put(subscription.id, { ...subscription, status: 'confirmed' })
        return json(200, { SubscriptionArn: `${TOPIC}:${subscription.id}` })
      },
    },
  ]
}
