import { it } from 'vitest'
import { Switchyard } from '@switchyard/sdk'
import { mobileMoneyPayin, usePayments } from '../worlds/test-payments.ts'
import { expectOneChargeEach } from './expect-one-charge-each.ts'

const t = usePayments()

it('a connection lost before, after or during each of 200 payins makes one payment and one charge each', async () => {
  await expectOneChargeEach(t, (baseUrl, accessToken) => {
    const runtime = { sleep: () => Promise.resolve() }
    const sy = new Switchyard({ baseUrl, accessToken, runtime })
    return Promise.resolve(
      async (body) => (await sy.payments.initiate({ ...mobileMoneyPayin(), ...body })).payment_id,
    )
  })
}, 240_000)
