import { replaceDate } from './replace-date.ts'

/**
 * Loaded with `--import` into an api or a worker: its clock is up to an hour off, and is set again every few seconds.
 * Timers and the monotonic clock are right, as on a machine whose time is set by hand.
 */
const hourMs = 3_600_000
const everyMs = 7_000

const drawOffset = (): number => Math.round((Math.random() * 2 - 1) * hourMs)
let offsetMs = drawOffset()
setInterval(() => (offsetMs = drawOffset()), everyMs).unref()

replaceDate(() => offsetMs)
