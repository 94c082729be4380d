export function App() {
  return <h1>Gengraph</h1>;
}
