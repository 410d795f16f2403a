import { defineConnector, type Connector, type ConnectorContext } from '../kit/connector.ts'
import { verifySns } from '../kit/sns.ts'
import { missingFields } from './bank-accounts.ts'
import { readData } from '../kit/replies.ts'
import { configurationSchema } from './answers.ts'
import { createClient, paths } from './client.ts'
import { collectCrypto, collectWire, inquireAddress, inquireWire } from './collect.ts'
import { capabilitiesOf, circleCredentials, type CircleCredentials } from './credentials.ts'
import { listTransactions } from './lists.ts'
import { inquireSent, payBank, payWallet, refundWire } from './send.ts'
import { readWebhook } from './webhook.ts'

export const circleConnector = defineConnector({
  name: 'circle',
  credentials: circleCredentials,
  webhooks: { proves: 'provider', scheme: 'RSA-SHA256', binds: 'fields', maxAgeMs: 3_600_000 },
  sandbox: { hosts: ['api-sandbox.circle.com'], unknownId: '00000000-0000-4000-8000-000000000000' },
  create: createCircle,
})

const nameless = { kind: 'unknown', reason: 'Circle finds payments only by its id' } as const

function createCircle(context: ConnectorContext<CircleCredentials>): Connector<'provider'> {
  const { credentials } = context
  const client = createClient(credentials, context.http)
  const parts = { client, credentials }
  return {
    name: 'circle',
    capabilities: capabilitiesOf(credentials),
    // Idempotency keys never expire, so the same call returns the same payment after a lost answer.
    isRepeatable: true,
    missingFields,
    collect: (attempt, details) =>
      (attempt.method === 'crypto' ? collectCrypto : collectWire)(parts, attempt, details),
    payout: (attempt, payee) => (attempt.method === 'crypto' ? payWallet : payBank)(parts, attempt, payee),
    async inquire(attempt) {
      const { providerRef, direction, method, amount } = attempt
      if (providerRef === null) return nameless
      const isCrypto = method === 'crypto'
      if (direction === 'payin')
        return (isCrypto ? inquireAddress : inquireWire)(client, attempt, providerRef)
      return inquireSent(client, `${paths[isCrypto ? 'transfers' : 'payouts']}/${providerRef}`, amount)
    },
    refund: (attempt, refund) => refundWire(parts, attempt, refund),
    inquireRefund: async (_attempt, { providerRef, amount }) =>
      providerRef === null ? nameless : inquireSent(client, `${paths.payouts}/${providerRef}`, amount),
    verifyWebhook: (request) => verifySns({ ...context, ...credentials.sns }, request.rawBody),
    readWebhook,
    listTransactions: listTransactions(client),
    identify: async () =>
      readData(await client(paths.configuration), configurationSchema)?.payments.masterWalletId,
  }
}
