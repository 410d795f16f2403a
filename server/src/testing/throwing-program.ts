import { createLog } from '../lib/log.ts'
import { stopOnSignal } from '../main/process.ts'

/** For the test of what an uncaught error leaves behind: its message stands for data of a customer. */
stopOnSignal(createLog('info'), () => Promise.resolve())
setTimeout(() => {
  throw new Error('4111 1111 1111 1111')
}, 10)
