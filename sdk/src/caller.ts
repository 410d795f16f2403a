export interface Caller {
  /** Lets the stack of an error start where the SDK was called, since the request itself runs in a later turn. */
  blame<Thrown extends Error>(error: Thrown): Thrown
}

interface Capturing {
  captureStackTrace?: (target: object, below: () => unknown) => void
}

/** The first line, the method of the transport and the generated method, which is what the user called. */
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
