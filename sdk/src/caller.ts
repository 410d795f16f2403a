export interface Caller {
  /** Makes an error's stack start where the SDK was called, because the request runs in a later turn of the event loop. */
  blame<Thrown extends Error>(error: Thrown): Thrown
}

interface Capturing {
  captureStackTrace?: (target: object, below: () => unknown) => void
}

/** The message, the transport's method and the generated method that the user called. */
const ownLines = 3

/** To be called by a method of the transport. */
export function callerOf(): Caller {
  const holder: { stack?: string } = {}
  const { captureStackTrace } = Error as Capturing // V8 has it, other engines may not
  captureStackTrace?.(holder, callerOf)
  return {
    blame(error) {
      const frames = holder.stack?.split('\n').slice(ownLines)
      if (frames) error.stack = [`${error.name}: ${error.message}`, ...frames].join('\n')
      return error
    },
  }
}
