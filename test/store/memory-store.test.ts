import { MemoryStore } from "../../src/store/index.ts";
import { type StoreUnderTest, storeContract } from "../contracts/store-contract.ts";

function underTest(store: MemoryStore): StoreUnderTest {
  return {
    store,
    writes: () => store.writes,
    failAt: (writeNumber, kind) => store.failAt(writeNumber, kind),
    reopen() {
      store.close();
      store.crash();
      return underTest(store);
    },
    crash() {
      store.crash();
      return underTest(store);
    },
    asOf: (visit) => store.asOf(visit),
    dispose: () => store.close(),
  };
}

storeContract("in memory", (settings) => underTest(new MemoryStore(settings)), { runs: 300 });
