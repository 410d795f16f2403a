import { afterAll } from 'vitest'
import { describeEveryOperation } from '../sdk/every-operation.ts'
import { checkedCaller, startPythonDriver } from './python-driver.ts'

const python = startPythonDriver()
afterAll(() => python.close())

describeEveryOperation(async ({ url, credential, document }) => {
  const settings = { url, credential, maxRetries: 0 }
  const blocking = await python.connect({ ...settings, isAsync: false })
  const waiting = await python.connect({ ...settings, isAsync: true })
  return [checkedCaller(blocking, document), checkedCaller(waiting, document)]
})
