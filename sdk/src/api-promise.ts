export interface ApiResponse<Data> {
  data: Data
  status: number
  headers: Headers
  requestId: string | undefined
}

/** Resolves to the data of the response. */
export interface ApiPromise<Data> extends Promise<Data> {
  /** Resolves to the data with the status, the headers and the request id. */
  withResponse(): Promise<ApiResponse<Data>>
}

export function apiPromise<Data>(response: Promise<ApiResponse<Data>>): ApiPromise<Data> {
  const data = response.then((answer) => answer.data)
  return Object.assign(data, {
    withResponse(): Promise<ApiResponse<Data>> {
      // The caller handles the other promise, so this one must not report an unhandled rejection.
      data.catch(() => undefined)
      return response
    },
  })
}
