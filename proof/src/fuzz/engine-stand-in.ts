import { startIngressStandIn } from '@switchyard/server/test/app/ingress-stand-in.ts'

/** It runs as a process of its own, because the busy fuzzer would answer the api's readiness check too late. */
await startIngressStandIn(Number(process.env['PORT']))
