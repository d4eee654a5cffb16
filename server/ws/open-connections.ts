/** How many WebSockets are open; each counts itself. */
export class OpenConnections {
  open = 0;
}
