import { afterAll, it } from 'vitest'
import { expectOneChargeEach } from '../sdk/expect-one-charge-each.ts'
import { usePayments } from '../worlds/test-payments.ts'
import { startPythonDriver } from './python-driver.ts'

const python = startPythonDriver()
afterAll(() => python.close())
const t = usePayments()

it('a connection lost before, after or during each of 200 payins makes one payment and one charge each', async () => {
  await expectOneChargeEach(t, async (url, credential) => {
    const settings = { url, credential, maxRetries: 2 }
    const blocking = await python.connect({ ...settings, isAsync: false })
    const waiting = await python.connect({ ...settings, isAsync: true })
    return async (body, index) => {
      const client = index % 2 === 0 ? blocking : waiting
      const { data } = await client.call('payments.initiate', { path: [], body })
      return (data as { payment_id: string }).payment_id // as the API describes it
    }
  })
}, 240_000)
