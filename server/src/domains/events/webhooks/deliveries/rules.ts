/** The name of the engine's service for deliveries, which outbox rows carry. */
export const deliveryServiceName = 'Deliveries'
