import { runApi } from '@switchyard/server/main/api.ts'
import { readConfig } from '@switchyard/server/main/config.ts'
import { createDeps } from '@switchyard/server/main/deps.ts'
import { stopOnSignal } from '@switchyard/server/main/process.ts'
import { watchCalls, watchCommits } from '@switchyard/server/test/processes/crash-points/crashing-parts.ts'
import { armedByFile, hurriedHttp, impatient, patience } from './hurry.ts'

/** The production api with shorter timeouts and with crash points. */
const pass = armedByFile()
const config = readConfig()
const deps = await createDeps(config, { http: watchCalls(hurriedHttp(), pass), ...patience })
const api = await runApi(config, {
  ...deps,
  db: watchCommits(deps.db, pass),
  connectors: impatient(deps.connectors),
})
stopOnSignal(deps.log, () => api.stop())
