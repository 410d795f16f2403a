import { createLog } from '../../src/lib/log.ts'
import { stopOnSignal } from '../../src/main/process.ts'

/** Throws an uncaught error whose message stands for customer data, for the test of what gets logged. */
stopOnSignal(createLog('info'), () => Promise.resolve())
setTimeout(() => {
  throw new Error('4111 1111 1111 1111')
}, 10)
