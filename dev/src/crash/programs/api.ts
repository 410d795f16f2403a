import { runApi } from '../../../../server/src/main/api.ts'
import { readConfig } from '../../../../server/src/main/config.ts'
import { createDeps } from '../../../../server/src/main/deps.ts'
import { stopOnSignal } from '../../../../server/src/main/process.ts'
import { watchCalls, watchCommits } from '../../crash-points/crashing-parts.ts'
import { armedByFile, hurriedHttp, impatient, patience } from './hurry.ts'

/** The api of the production parts, with less patience and with named points at which it can be made to end. */
const pass = armedByFile()
const config = readConfig()
const deps = createDeps(config, { http: watchCalls(hurriedHttp(), pass), ...patience })
const api = await runApi(config, {
  ...deps,
  db: watchCommits(deps.db, pass),
  connectors: impatient(deps.connectors),
})
stopOnSignal(deps.log, () => api.stop())
