import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineConnector, type Connector, type ConnectorDefinition } from './connector.ts'
import { registerConnectors } from './register-connectors.ts'

const markets = { countries: ['KE'], currencies: ['KES'] }
const payin = { direction: 'payin', method: 'mobile_money', ...markets } as const
const accept = () => Promise.resolve({ kind: 'unknown', reason: 'never called' } as const)
const withoutFunctions: Connector = { name: 'zebra', capabilities: [], inquire: accept }
const complete: Connector = { ...withoutFunctions, capabilities: [payin], collect: accept }

const definitionOf = (
  connector: Connector,
  facts: Pick<ConnectorDefinition, 'webhooks'> = {},
): ConnectorDefinition =>
  defineConnector({ name: 'zebra', credentials: z.object({}), ...facts, create: () => connector })

const create = (definition: ConnectorDefinition): Connector =>
  registerConnectors({ zebra: definition }).zebra.create({
    credentials: {},
    http: () => Promise.reject(new Error('no request is expected')),
    clock: { now: () => new Date() },
    webhookUrl: 'https://api.test/hook',
  })

describe('a registered connector', () => {
  test('is created if it has a function for everything that it declares', () => {
    expect(create(definitionOf(complete))).toBe(complete)
  })

  test.each([
    ['payin', 'bank_transfer', 'collect'],
    ['payout', 'mobile_money', 'payout'],
    ['on_ramp', 'bank_transfer', 'onRamp'],
    ['off_ramp', 'mobile_money', 'offRamp'],
  ] as const)('that declares %s by %s needs the function %s', (direction, method, needed) => {
    const connector = { ...withoutFunctions, capabilities: [{ direction, method, ...markets }] }
    expect(() => create(definitionOf(connector))).toThrow(
      `The connector zebra declares ${direction} by ${method} but has no function ${needed}.`,
    )
  })

  test('names every missing function at once', () => {
    const connector = { ...complete, refund: accept, accountCurrencies: ['NGN'], listsOnly: 'payin' as const }
    const webhooks = { proves: 'account', scheme: 'HMAC-SHA256', binds: 'body' } as const
    expect(() => create(definitionOf(connector, { webhooks }))).toThrow(
      [
        'The connector zebra declares webhooks but has no function verifyWebhook.',
        'The connector zebra declares webhooks but has no function readWebhook.',
        'The connector zebra declares refund but has no function inquireRefund.',
        'The connector zebra declares accountCurrencies but has no function openAccount.',
        'The connector zebra declares listsOnly but has no function listTransactions.',
      ].join(' '),
    )
  })

  test('is refused under a name that is not its own', () => {
    expect(() => registerConnectors({ horse: definitionOf(complete) })).toThrow(
      'The connector zebra is registered under the name horse.',
    )
  })
})
