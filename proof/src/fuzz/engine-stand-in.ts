import { startIngressStandIn } from '@switchyard/server/testing/ingress-stand-in.ts'

/** In a process of its own: one that makes requests all the time would answer the api's question too late. */
await startIngressStandIn(Number(process.env['PORT']))
