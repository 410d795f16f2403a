import { describe, expect, it } from 'vitest'
import type { HttpCall, HttpResult } from '../../../connectors/kit/http-client.ts'
import { createHttpClient } from '../../../connectors/kit/http-client.ts'
import {
  installationAccountId,
  kenyanPayin,
  openPayments,
  untilSettled,
  usePayments,
} from '../../../../test/worlds/test-payments.ts'
import { toConnectorAttempt } from '../../payments/attempts/build-request.ts'
import { loadPayment } from '../../payments/reads/get-payment.ts'
import { openAttempt } from '../../payments/record.ts'

const hangingKey = 'sk_of_an_account_that_hangs'
const sendCall = createHttpClient()
let hanging = 0
const t = usePayments({
  delayMs: untilSettled,
  http: (call: HttpCall): Promise<HttpResult> => {
    if (call.headers?.['authorization'] !== `Bearer ${hangingKey}`) return sendCall(call)
    hanging += 1
    return new Promise(() => undefined)
  },
})

describe('an organisation whose provider account hangs', () => {
  it('fills its own places only, and the calls that get none are not sent', async () => {
    const [theirs, mine] = [await openPayments(t), await openPayments(t)]
    const added = await theirs.call('POST', '/v1/payments/provider-accounts', {
      provider: 'paystack',
      label: 'an account that hangs',
      credentials: { secretKey: hangingKey, baseUrl: `${t.simulator.url}/paystack` },
    })
    const loaded = await loadPayment(t.deps, mine.orgId, await mine.start(kenyanPayin()))
    const attempt = openAttempt(loaded)
    if (!attempt) throw new Error('the payment has no open attempt')
    const view = toConnectorAttempt(loaded.payment, attempt)
    const stuck = await t.deps.connectors.load(theirs.orgId, added.body.data.account_id)
    const calls = Array.from({ length: 200 }, () => stuck?.inquire(view))
    const working = await t.deps.connectors.load(mine.orgId, await installationAccountId(t, 'paystack'))
    // A call that shared the places of the account that hangs would not be sent.
    expect((await working?.inquire(view))?.kind).toBe('not_found')
    expect(await calls.at(-1)).toMatchObject({ kind: 'unknown' })
    expect(hanging).toBe(128)
  })
})
