import { basename } from 'node:path'
import { replaceDate } from './replace-date.ts'

/** Loaded with `--import`: the clock of an api is twenty minutes behind that of a worker and of Postgres. */
const behindMs = 20 * 60_000
if (basename(process.argv[1] ?? '') === 'api.ts') replaceDate(() => -behindMs)
