import { expect, test } from 'vitest'
import { createHttpClient } from '../kit/http-client.ts'
import { systemClock } from '../../lib/clock.ts'
import type { Attempt } from '../kit/connector.ts'
import { manualConnector } from './connector.ts'

const connector = manualConnector.create({
  credentials: { instructions: { account_number: '0123456789' } },
  http: createHttpClient(),
  clock: systemClock,
  webhookUrl: 'https://example.test/webhooks',
})
const attempt = (direction: Attempt['direction']): Attempt => ({
  reference: '65ba2518-46bf-4561-af7e-4d6a6841fa61',
  providerRef: null,
  direction,
  method: 'bank_transfer',
  country: 'GB',
  amount: { amountMinor: 100n, currency: 'GBP' },
  createdAt: new Date(0),
})

test('an inquiry about a payment whose sender crashed returns what sending returns', async () => {
  expect(await connector.inquire(attempt('payin'))).toEqual(
    await connector.collect?.(attempt('payin'), { payer: {}, returnUrl: 'https://example.test' }),
  )
  const sent = await connector.payout?.(attempt('payout'), { name: 'Payee' })
  expect(await connector.inquire(attempt('payout'))).toEqual(sent)
  expect(sent).toMatchObject({ kind: 'accepted', state: { state: 'processing' } })
})
