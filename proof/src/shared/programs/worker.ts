import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { stopOnSignal } from '@switchyard/server/main/process.ts'
import { runWorker } from '@switchyard/server/main/worker.ts'
import { watchCalls, watchCommits } from '@switchyard/server/test/processes/crash-points/crashing-parts.ts'
import { armedByFile, hurriedHttp, impatient, patience } from './hurry.ts'

const second = 1_000
const deliveryScheduleMs = [
  0,
  second,
  2 * second,
  5 * second,
  10 * second,
  10 * second,
  20 * second,
  30 * second,
]
const postLimits = { answerMs: 2 * second, bodyMs: second }

/** The production worker with shorter timeouts and with crash points. */
const pass = armedByFile()
const config = readConfig()
const deps = await createDeps(config, { http: watchCalls(hurriedHttp(), pass), ...patience })
/** Between the receipt of an event and its record. */
const deliveryRecords: typeof deps.deliveryRecords = {
  ...deps.deliveryRecords,
  writeClaimed(attempt, onReceived) {
    pass('sent')
    return deps.deliveryRecords.writeClaimed(attempt, onReceived)
  },
}
let stop = (): Promise<void> => deps.close()
stopOnSignal(deps.log, () => stop())
const worker = await runWorker(
  config,
  {
    ...deps,
    db: watchCommits(deps.db, pass),
    connectors: impatient(deps.connectors),
    deliveryRecords,
    deliveryScheduleMs,
    postLimits,
  },
  { crashPoint: pass },
)
stop = () => worker.stop()
