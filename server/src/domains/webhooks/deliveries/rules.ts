/** Under which the engine and the outbox know deliveries. */
export const deliveryServiceName = 'Deliveries'
