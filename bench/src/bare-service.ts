import * as restate from '@restatedev/restate-sdk'
import { Agent, request } from 'undici'

/** A baseline for the engine: a service whose calls each post to the receiver in one durable step. */
const agent = new Agent({ connections: 64 })
const { PORT = '', RECEIVER_URL = '' } = process.env

const bare = restate.service({
  name: 'Bare',
  handlers: {
    post: async (context: restate.Context, input: { id: string }) => {
      await context.run('post', async () => {
        const response = await request(RECEIVER_URL, {
          method: 'POST',
          headers: { 'webhook-id': input.id },
          body: JSON.stringify(input),
          dispatcher: agent,
        })
        await response.body.dump()
      })
    },
  },
})

await restate.serve({ services: [bare], port: Number(PORT) })
